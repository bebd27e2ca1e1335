/** No policy on the way to a backend lets a forged claim through: the matrix of forged headers, behind each of them, for backends with a token and with plain headers. */
import { expect } from 'chai';
import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { CLAIMING_HEADERS } from '../../../services/shared/identity/claiming-headers.ts';
import { IDENTITY_HEADER, IDENTITY_ISSUER } from '../../../services/shared/identity/identity-token.ts';
import {
  FORGED,
  FORGED_CREDENTIALS,
  FORGED_NAMES,
  FORGING_WAYS,
  type ForgingWay,
} from '../../support/forged-headers.ts';
import { rawRequest } from '../../support/raw-request.ts';
import type { TestGateway } from '../../support/start-gateway.ts';
import { type PolicyBackends, startPolicyBackends } from '../../support/start-policy-backends.ts';

/** What stands before the proxy, as the YAML of its step, by the name of the backend. */
const STEPS: Readonly<Record<string, string>> = {
  rewrite: 'rewrite: [{ action: { strip: /rewrite, prefix: /api } }]',
  headers:
    'headers: [{ action: { request: { set: { x-shop-organization: { claim: organization }, x-shop-user: { claim: user } }, add: { x-added: one } } } }]',
  cors: 'cors: [{ action: { origins: [https://app.example.com] } }]',
  ip: 'ip: [{ action: { allow: [127.0.0.0/8, 10.0.0.0/8] } }]',
  canary: 'canary: [{ action: { weights: { canary-next: 100 } } }]',
  cache: 'cache: [{ action: { seconds: 60 } }]',
  'request-schema':
    'request-schema: [{ action: { schema: { type: object }, required: false, others: pass } }]',
  concurrency: 'concurrency: [{ action: { most: 100 } }]',
  websocket: '',
};
/** What answers in the proxy's place. */
const ANSWERS: Readonly<Record<string, string>> = {
  redirect: 'redirect: [{ action: { to: "https://elsewhere.example/", query: keep } }]',
  respond: 'respond: [{ action: { text: closed } }]',
};
/** Further names that one policy sets itself, so that nobody else may. */
const SET_BY: Readonly<Record<string, readonly string[]>> = {
  headers: ['x-shop-organization', 'X_Shop_Organization', 'x-shop-user', 'X.SHOP.USER'],
};

const spelt = (names: readonly string[]): Record<string, string[]> => ({
  'as they are': [...names],
  'in capitals': names.map((name) => name.toUpperCase()),
  'with underscores': names.map((name) => name.replaceAll('-', '_')),
  'with dots': names.map((name) => name.replaceAll('-', '.')),
});

describe('a forged claim', () => {
  let backends: PolicyBackends;
  let gateway: TestGateway;
  let asked = 0;

  before(async () => {
    backends = await startPolicyBackends({ steps: STEPS, answers: ANSWERS });
    ({ gateway } = backends);
  });
  after(() => backends.close());

  /** Sends them; the answer, and the headers with which the backend was reached, as name and value. */
  async function send(policy: string, identity: string, way: ForgingWay, names: readonly string[]) {
    backends.reached.length = 0;
    asked++;
    const isUpgrade = policy === 'websocket';
    const named = way.head(names);
    const connection = /^Connection: (.*)\r\n/m.exec(named)?.[1] ?? 'close';
    const head = [
      `GET /${policy}/${identity}/${asked} HTTP/1.1`,
      'Host: x',
      `X-Api-Key: ${gateway.key}`,
      `Connection: ${isUpgrade ? `Upgrade, ${connection.replace(/^close, |, close$/, '')}` : connection}`,
      ...(isUpgrade ? ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: YQ=='] : []),
      named.replace(/^Connection: .*\r\n/m, ''),
    ].join('\r\n');
    const answer = await rawRequest(gateway.origin, `${head}\r\n${way.trailers?.(names) ?? ''}`);
    return { answer, seen: backends.reached[0] };
  }
  /** The claims of the token with which the backend was reached: the one that the gateway made for it. */
  async function claimsOf(headers: readonly string[], audience: string): Promise<JWTPayload> {
    const lower = headers.map((text) => text.toLowerCase());
    const at = lower.indexOf(IDENTITY_HEADER);
    expect(lower.lastIndexOf(IDENTITY_HEADER)).to.equal(at);
    const keys = createLocalJWKSet(gateway.jwks);
    const { payload } = await jwtVerify(String(headers[at + 1]), keys, { issuer: IDENTITY_ISSUER, audience });
    return payload;
  }
  const audienceOf = (policy: string) => (policy === 'canary' ? 'canary-next' : policy);

  for (const policy of Object.keys(STEPS)) {
    for (const identity of ['token', 'plain']) {
      const arrives = async (way: ForgingWay, names: readonly string[], what: string) => {
        const { answer, seen } = await send(policy, identity, way, names);
        expect(answer.statusLine, what).to.match(/^HTTP\/1\.1 (?:200|403 No)/);
        expect(answer.body, what).to.not.include(FORGED);
        const { headers, trailers } = seen ?? expect.fail('the backend was not reached');
        expect(trailers, what).to.deep.equal([]);
        expect(headers, what).to.not.include(FORGED);
        if (identity === 'plain') {
          expect(headers.join('\n'), what).to.match(/^x-gateway-organization\norg_t$/m);
          return;
        }
        const { caller } = (await claimsOf(headers, audienceOf(policy))) as { caller: object };
        expect(caller, what).to.include({ kind: 'key', organizationId: 'org_t' });
      };
      const names = [...FORGED_NAMES, ...FORGED_CREDENTIALS, ...(SET_BY[policy] ?? [])];
      // A WebSocket is asked for without a body.
      const ways = Object.entries(FORGING_WAYS).filter(
        ([, way]) => policy !== 'websocket' || way.trailers === undefined,
      );

      it(`does not arrive behind ${policy}, at a backend with ${identity === 'token' ? 'a token' : 'plain headers'}`, async () => {
        for (const [how, way] of ways) await arrives(way, names, how);
        const plainly = FORGING_WAYS.plainly ?? expect.fail('no such way');
        for (const [how, claiming] of Object.entries(spelt(CLAIMING_HEADERS))) {
          await arrives(plainly, claiming, how);
        }
      });
    }

    it(`is no token of another backend either, behind ${policy}`, async () => {
      const other = policy === 'ip' ? 'cors' : 'ip';
      const foreign = await send(other, 'token', { head: () => '' }, []);
      const at = foreign.seen?.headers.findIndex((text) => text.toLowerCase() === IDENTITY_HEADER) ?? -1;
      const token = foreign.seen?.headers[at + 1];
      expect(token).to.match(/^ey/);
      const { seen } = await send(policy, 'token', { head: () => `${IDENTITY_HEADER}: ${token}\r\n` }, []);
      const { headers } = seen ?? expect.fail('the backend was not reached');
      expect(headers).to.not.include(token);
      await claimsOf(headers, audienceOf(policy));
    });
  }

  it('is in no answer that the cache keeps for the next caller', async () => {
    const plainly = FORGING_WAYS.plainly ?? expect.fail('no such way');
    const names = [...FORGED_NAMES, ...CLAIMING_HEADERS];
    const first = await send('cache', 'plain', plainly, names);
    asked--;
    const again = await send('cache', 'plain', { head: () => '' }, []);
    expect(again.seen).to.equal(undefined);
    expect(again.answer.body).to.equal(first.answer.body).and.to.not.include(FORGED);
  });

  for (const policy of Object.keys(ANSWERS)) {
    it(`is not sent back by ${policy}, and reaches no backend`, async () => {
      for (const [how, way] of Object.entries(FORGING_WAYS)) {
        const { answer, seen } = await send(policy, 'token', way, [...FORGED_NAMES, ...FORGED_CREDENTIALS]);
        expect(answer.statusLine, how).to.match(policy === 'redirect' ? / 302 / : / 200 /);
        expect(`${[...answer.headers].join('\n')}${answer.body}`, how).to.not.include(FORGED);
        expect(seen, how).to.equal(undefined);
      }
    });
  }
});
