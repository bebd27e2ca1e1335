/** The rate-limit headers of answers that come of waiting or of too much: 408, 504, and the 400 of a batch above its limit. */
import { expect } from 'chai';
import { expectError } from '../../support/answers.ts';
import {
  addOwner,
  credentialFor,
  expectTripleAt,
  limitFor,
  type Route,
  shippedRoutes,
} from '../../support/crawled-routes.ts';
import { asAnswer, rawRequest } from '../../support/raw-request.ts';
import { type Edit, type LimitedGateway, startLimitedGateway } from '../../support/start-limited-gateway.ts';
import { type Answer, newAddress } from '../../support/start-tidegate.ts';

const OWN_LIMIT = 777_777;
const GATEWAY = 'gateway.config.yml';
/** Every wait of the configuration a second; each edit changes the first place that it finds. */
const SHORT_WAITS: readonly Edit[] = [
  [
    GATEWAY,
    'contentTypes: [application/json, text/plain] }',
    'contentTypes: [application/json, text/plain], readTimeoutSeconds: 1 }',
  ],
  [GATEWAY, '{ maxBytes: 2097152 }', '{ maxBytes: 2097152, readTimeoutSeconds: 1 }'],
  [GATEWAY, '{ read: whole }', '{ read: whole, readTimeoutSeconds: 1 }'],
  [GATEWAY, '{ read: whole }', '{ read: whole, readTimeoutSeconds: 1 }'],
  [GATEWAY, '{ read: whole, maxBytes: 16384 }', '{ read: whole, maxBytes: 16384, readTimeoutSeconds: 1 }'],
  [GATEWAY, 'timeoutSeconds: 15', 'timeoutSeconds: 1'],
  [GATEWAY, 'timeoutSeconds: 35', 'timeoutSeconds: 1'],
  [GATEWAY, 'timeoutSeconds: 35', 'timeoutSeconds: 1'],
  [GATEWAY, 'timeoutSeconds: 45', 'timeoutSeconds: 1'],
  [GATEWAY, '{ serviceEndpoint: resources }', '{ serviceEndpoint: resources, timeoutSeconds: 1 }'],
  [GATEWAY, '{ serviceEndpoint: resources }', '{ serviceEndpoint: resources, timeoutSeconds: 1 }'],
  [GATEWAY, 'forgetsAfterWrites: true }', 'forgetsAfterWrites: true, timeoutSeconds: 1 }'],
];
const BATCH_LIMIT = 10;
const SMALL_BATCHES: readonly Edit[] = [
  ['plans.yml', 'limit: 6000\n', `limit: ${BATCH_LIMIT}\n`],
  ['plans.yml', 'limit: 60000\n', `limit: ${BATCH_LIMIT}\n`],
  ['plans.yml', 'limit: 60000\n', `limit: ${BATCH_LIMIT}\n`],
  // The datasets of a share, once the limits of pages no longer say the same.
  ['plans.yml', 'limit: 3000\n', `limit: ${BATCH_LIMIT}\n`],
];
/** As the other limits of public endpoints: first that of the dashboard, then that of shares. */
const SMALL_PAGES: readonly Edit[] = [
  ['plans.yml', 'limit: 3000\n', 'limit: 30\n'],
  ['plans.yml', 'limit: 3000\n', 'limit: 30\n'],
];
/** So that the window of the organization is the narrowest at custom SQL too. */
const LONG_CUSTOM_SQL: Edit = [
  'plans.yml',
  'seconds:\n    limit: 60\n',
  `seconds:\n    limit: ${OWN_LIMIT + 3}\n`,
];
const CODES: Readonly<Record<number, string>> = { 408: 'REQUEST_TIMEOUT', 504: 'TIMEOUT' };

describe('the rate-limit headers of what was waited for', () => {
  let gateway: LimitedGateway;
  let routes: Route[];
  let key: string;

  before(async () => {
    gateway = await startLimitedGateway([...SHORT_WAITS, ...SMALL_PAGES, ...SMALL_BATCHES, LONG_CUSTOM_SQL]);
    key = await gateway.organization('org_own', 'free', {
      per10Seconds: OWN_LIMIT,
      perMinute: OWN_LIMIT + 1,
      customSqlPerMinute: OWN_LIMIT + 2,
    });
    await addOwner(gateway, 'org_own');
    routes = await shippedRoutes();
  });
  after(() => gateway.close());

  function expectWaited(route: Route, status: number, answer: Answer): void {
    const what = `${route.method} ${route.path} ${status}`;
    expect(answer.status, what).to.equal(status);
    if (answer.body !== null) expectError(answer, status, CODES[status] ?? '', gateway.clock.now());
    expectTripleAt(gateway.clock.now(), answer, limitFor(route, OWN_LIMIT), what);
  }

  it('hold on the 504 of every route whose service says nothing', async () => {
    const proxied = routes.filter(({ isProxied }) => isProxied);
    expect(proxied.some(({ path }) => path === '/tracker.js')).to.equal(true);
    await Promise.all(
      proxied.map(async (route) => {
        const { headers, ...own } = await credentialFor(gateway, route, key);
        const silent = { ...own, headers: { ...headers, 'x-answer': 'silent' } };
        const body = ['GET', 'HEAD', 'DELETE'].includes(route.method) ? {} : { body: {} };
        expectWaited(route, 504, await gateway.call(route.method, route.path, { ...silent, ...body }));
      }),
    );
  });

  it('hold on the 408 of every route that waits for a body which does not come', async () => {
    const reading = routes.filter(({ readsWhole, method }) => readsWhole && method === 'POST');
    expect(reading.length).to.be.greaterThan(10);
    await Promise.all(
      reading.map(async (route) => {
        const { headers = {}, key: own } = await credentialFor(gateway, route, key);
        const lines = Object.entries({
          host: 'x',
          'x-forwarded-for': newAddress(),
          'content-type': 'application/json',
          'content-length': '9',
          ...headers,
          ...(own === undefined ? {} : { 'x-api-key': own }),
        }).map(([name, value]) => `${name}: ${value}`);
        const bytes = [`POST ${route.path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
        expectWaited(route, 408, asAnswer(await rawRequest(gateway.origin, bytes)));
      }),
    );
  });

  it('hold on the 400 of a batch above the whole limit, with a key and without', async () => {
    const counting = routes.filter(({ endpoint, method }) => endpoint.cost === 'body' && method === 'POST');
    expect(counting.map(({ path }) => path)).to.include.members(['/v1/query', '/track', '/batch']);
    expect(counting.some(({ endpoint }) => endpoint.name === 'share-query')).to.equal(true);
    for (const route of counting) {
      const isQuery = route.path.endsWith('/query');
      const items = new Array(BATCH_LIMIT + 1).fill(isQuery ? 'pages' : { name: 'signup' });
      const body = isQuery ? { parameters: items } : items;
      const isOpen = route.endpoint.access === 'keyless';
      const withKey = limitFor(route, OWN_LIMIT);
      for (const [own, limit] of [[{ key }, withKey], ...(isOpen ? [[{}, 100]] : [])] as const) {
        const answer = await gateway.call(route.method, route.path, { ...(own as { key?: string }), body });
        expectError(answer, 400, 'VALIDATION_ERROR', gateway.clock.now());
        expect(answer.body.error).to.include(`holds 11 ${isQuery ? 'datasets' : 'events'}`);
        expectTripleAt(gateway.clock.now(), answer, limit as number, `${route.path} 400`);
      }
    }
  });
});
