/** Every route of the shipped configuration × every status that it can give: the rate-limit triple is there, and true. */

import { expect } from 'chai';
import { createApiKey } from '../../../services/resources/api-keys/create-api-key.ts';
import { SHIPPED_CATALOGUE } from '../../../services/shared/access/scope-catalogue.ts';
import type { Scope } from '../../../services/shared/access/scopes.ts';
import { isSlug } from '../../../services/shared/links/slug.ts';
import { createIds } from '../../../services/shared/ports/ids.ts';
import { expectError } from '../../support/answers.ts';
import {
  addOwner,
  credentialFor,
  expectTripleAt,
  limitFor,
  OWN_ORIGIN,
  type Route,
  shippedRoutes,
} from '../../support/crawled-routes.ts';
import { asAnswer, rawRequest } from '../../support/raw-request.ts';
import { type LimitedGateway, startLimitedGateway } from '../../support/start-limited-gateway.ts';
import { type Answer, type CallOptions, newAddress, newKeyText } from '../../support/start-tidegate.ts';

/** The window of the organization that asks: a limit of this size in the headers is that window and no other. */
const OWN_LIMIT = 777_777;
/** What services may answer. */
const SERVICE_ANSWERS = [200, 201, 204, 301, 302, 304, 400, 403, 404, 409, 410, 412, 500, 503, 504];
const METHODS = ['PUT', 'DELETE', 'PATCH', 'POST', 'GET'];

/** Whether another spelling is the slug of a short link. */
function isSlugRoute({ method }: Route, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && isSlug(path.slice(1));
}

describe('the rate-limit headers, crawled', () => {
  // Every route by every status, one after the other: it grows with the routes.
  let gateway: LimitedGateway;
  let routes: Route[] = [];
  let key: string;
  /** By their one scope. */
  const weakKeys = new Map<Scope, string>();
  let spentKey: string;
  const seen = new Set<number>();

  before(async () => {
    gateway = await startLimitedGateway([
      ['gateway.config.yml', '{ maxBytes: 2097152 }', '{ maxBytes: 2097152, readTimeoutSeconds: 1 }'],
      // So that the window of the organization is the narrowest at custom SQL too.
      ['plans.yml', 'seconds:\n    limit: 60\n', `seconds:\n    limit: ${OWN_LIMIT + 3}\n`],
      // As the other limits of public endpoints, so that it is soon used up.
      ['plans.yml', 'limit: 3000\n', 'limit: 30\n'],
      ['plans.yml', 'limit: 3000\n', 'limit: 30\n'],
    ]);
    const limits = { per10Seconds: OWN_LIMIT, perMinute: OWN_LIMIT + 1, customSqlPerMinute: OWN_LIMIT + 2 };
    key = await gateway.organization('org_own', 'free', limits);
    spentKey = await gateway.organization('org_spent', 'free', { per10Seconds: 1 });
    await gateway.call('GET', '/nothing/here', { key: spentKey });
    const { documents, clock } = gateway;
    for (const [index, scope] of (['read:links', 'manage:websites'] as const).entries()) {
      const randomBytes = (size: number) => new Uint8Array(size).fill(7 + index);
      const { secret } = await createApiKey(
        { documents, ids: createIds(), clock, randomBytes, scopes: () => SHIPPED_CATALOGUE },
        { organizationId: 'org_own', createdBy: 'test', prefix: 'tg' },
        { name: 'weak', scopes: [scope], access: { level: 'global' } },
      );
      weakKeys.set(scope, secret);
    }
    await addOwner(gateway, 'org_own');
    routes = await shippedRoutes();
  });
  after(() => gateway.close());

  function expectTriple(answer: Pick<Answer, 'status' | 'headers'>, limit: number, what: string): void {
    seen.add(answer.status);
    expectTripleAt(gateway.clock.now(), answer, limit, what);
  }

  async function crawl(
    { method, path }: Route,
    status: number | null,
    limit: number,
    options: CallOptions,
    at: { method?: string; path?: string } = {},
  ): Promise<Answer> {
    const asked = at.method ?? method;
    const answer = await gateway.call(asked, at.path ?? path, options);
    const what = `${asked} ${at.path ?? path} ${answer.status}`;
    if (status !== null) expect(answer.status, what).to.equal(status);
    expectTriple(answer, limit, what);
    const isOwnError = answer.body !== null && answer.body.success === false;
    if (isOwnError) expectError(answer, answer.status, answer.body.code, gateway.clock.now());
    return answer;
  }

  /** A live key that lacks a scope of the route, under every selector. */
  function weakKeyFor({ endpoint }: Route): string {
    const serving = [endpoint.scopes, ...Object.values(endpoint.scopesUnder ?? {})].flat();
    const lacking = [...weakKeys].find(([scope]) => !serving.includes(scope));
    if (!lacking) throw new Error(`every weak key has what ${endpoint.name} needs`);
    return lacking[1];
  }

  const credentialOf = (route: Route) => credentialFor(gateway, route, key);

  /** Whether an endpoint answers it that answers all below a path. */
  const isPage = (path: string) =>
    !path.includes('%') && routes.some(({ below }) => below !== null && path.startsWith(below));
  const limitOf = (route: Route) => limitFor(route, OWN_LIMIT);
  const bodyOf = ({ method }: Route) => (['GET', 'HEAD', 'DELETE'].includes(method) ? {} : { body: {} });

  it('hold on whatever a service answers, and never show what it says itself', async () => {
    for (const route of routes.filter(({ isProxied }) => isProxied)) {
      const credential = await credentialOf(route);
      for (const status of SERVICE_ANSWERS) {
        const headers = { ...credential.headers, 'x-answer': `${status}` };
        await crawl(route, status, limitOf(route), { ...credential, ...bodyOf(route), headers });
      }
      const broken = { ...credential.headers, 'x-answer': 'broken' };
      await crawl(route, 502, limitOf(route), { ...credential, ...bodyOf(route), headers: broken });
    }
  });

  it('hold on what the gateway answers itself', async () => {
    for (const route of routes.filter(({ isProxied }) => !isProxied)) {
      const credential = await credentialOf(route);
      const answer = await crawl(route, null, limitOf(route), { ...credential, ...bodyOf(route) });
      expect(answer.status).to.be.lessThan(500);
    }
  });

  it('hold on 401 and 403, under the address or the organization', async () => {
    for (const route of routes.filter(({ endpoint }) => endpoint.access !== 'public')) {
      // Without a key the service judges; this one lets everybody in.
      await crawl(route, route.endpoint.access === 'keyless' ? 200 : 401, 100, bodyOf(route));
      await crawl(route, 401, 100, { key: newKeyText(), ...bodyOf(route) });
      await crawl(route, 401, 100, { key: 'nonsense', ...bodyOf(route) });
      await crawl(route, 403, OWN_LIMIT, { key: weakKeyFor(route), ...bodyOf(route) });
    }
  });

  it('hold on 404 and 405, of a known caller and of nobody', async () => {
    for (const route of routes) {
      const { path, endpoint } = route;
      const here = routes.filter((one) => one.path === path);
      const served = here.map(({ method }) => method);
      const method = METHODS.find((one) => !served.includes(one)) ?? 'PUT';
      // With a form of its parameters, a path is known for its methods alone.
      if (endpoint.parameterPattern !== undefined) await crawl(route, 404, 100, {}, { method });
      else if (here.some((one) => one.endpoint.access === 'public'))
        await crawl(route, 405, 100, {}, { method });
      else {
        await crawl(route, 405, OWN_LIMIT, { key }, { method });
        await crawl(route, endpoint.access === 'keyless' ? 405 : 401, 100, {}, { method });
      }
      const others = [`${path}/nothing/here`, path.toUpperCase(), `${path}%2fx`, `${path}/%5cx`];
      const isKnown = (other: string) => other === path || isSlugRoute(route, other) || isPage(other);
      for (const unknown of others.filter((other) => !isKnown(other))) {
        await crawl(route, 404, OWN_LIMIT, { key }, { path: unknown });
        await crawl(route, 404, 100, {}, { path: unknown });
        await crawl(route, 401, 100, { key: 'nonsense' }, { path: unknown });
      }
    }
  });

  it('hold on 413, 415 and malformed JSON', async () => {
    const huge = 'x'.repeat(2_097_153);
    for (const route of routes.filter(({ method }) => method === 'POST' || method === 'PATCH')) {
      const credential = await credentialOf(route);
      const typed = (name: string, value: string) => ({ ...credential.headers, [name]: value });
      const body = '{}';
      const limit = limitOf(route);
      await crawl(route, 413, limit, { ...credential, body: huge });
      // A page of another site can send these: they take nothing of its visitor's logins.
      const ofType = route.endpoint.origin === 'own' ? 100 : limit;
      await crawl(route, 415, ofType, { ...credential, body, headers: typed('content-type', 'text/html') });
      await crawl(route, 415, ofType, { ...credential, body, headers: typed('content-encoding', 'zstd') });
      if (route.endpoint.cost === 'body') await crawl(route, 400, limit, { ...credential, body: '{' });
    }
  });

  it('hold on 429, consistent with its body, wherever another answer would stand', async () => {
    const address = newAddress();
    for (const route of routes) {
      const isPublic = route.endpoint.access === 'public';
      const options = isPublic ? { address } : { key: spentKey };
      if (isPublic) {
        for (let count = 0; count < limitOf(route); count++) {
          if ((await gateway.call(route.method, route.path, options)).status === 429) break;
        }
      }
      const answer = await crawl(route, 429, isPublic ? limitOf(route) : 1, options);
      if (route.method !== 'HEAD') expect(answer.body.code).to.equal('RATE_LIMIT_EXCEEDED');
    }
  });

  it('hold on preflights and health, which count nowhere', async () => {
    const address = newAddress();
    const untouched = (answer: Answer) => expect(answer.headers.get('x-ratelimit-remaining')).to.equal('100');
    for (const route of routes) {
      const headers = { origin: OWN_ORIGIN, 'access-control-request-method': route.method };
      untouched(await crawl(route, 204, 100, { address, headers }, { method: 'OPTIONS' }));
    }
    for (const path of ['/health', '/health/ready']) {
      const answer = await gateway.call('GET', path, { address });
      expectTriple(answer, 100, path);
      untouched(answer);
    }
  });

  it('hold on replies of the parser and on a body that does not come, which is 408', async () => {
    const bytes: [status: number, text: string][] = [
      [400, 'nonsense\r\n\r\n'],
      [400, 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'],
      [400, 'POST /track HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n'],
      [414, `GET /${'a'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
      [414, `GET /${'a'.repeat(9_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
      [431, `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`],
    ];
    for (const [status, text] of bytes) {
      const answer = asAnswer(await rawRequest(gateway.origin, text));
      expect(answer.status).to.equal(status);
      expectTriple(answer, 100, text.slice(0, 20));
      expect(answer.headers.get('x-ratelimit-remaining')).to.equal('100');
    }
    const dots = `GET /v1/query/../../track HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\n\r\n`;
    const climbed = asAnswer(await rawRequest(gateway.origin, dots));
    expect(climbed.status).to.equal(404);
    expectTriple(climbed, OWN_LIMIT, 'dot segments');
    const silent = `POST /v1/query HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nContent-Length: 9\r\n\r\n`;
    const late = asAnswer(await rawRequest(gateway.origin, silent));
    expect(late.status).to.equal(408);
    expectTriple(late, OWN_LIMIT, '408');
  });

  it('hold on the 503 of a dead store, which counts nowhere', async () => {
    const { apiKeys } = gateway.documents;
    const { findUnique } = apiKeys;
    apiKeys.findUnique = () => Promise.reject(new Error('down'));
    for (const route of routes.filter(({ endpoint }) => endpoint.access !== 'public')) {
      const answer = await crawl(route, 503, 100, { key: newKeyText(), ...bodyOf(route) });
      expect(answer.headers.get('x-ratelimit-remaining')).to.equal('100');
    }
    apiKeys.findUnique = findUnique;
  });

  it('were seen on every status that the API knows', () => {
    const expected = [
      200, 201, 204, 301, 302, 304, 400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 414, 415,
    ];
    expect([...seen].sort()).to.include.members([...expected, 429, 431, 500, 502, 503, 504]);
  });
});
