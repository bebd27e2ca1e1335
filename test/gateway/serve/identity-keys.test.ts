/** The gateway's keys read from a URL: several live ones, a change of them, and a server of keys that is down. */
import { expect } from 'chai';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { z } from 'zod';
import { createIdentitySigner, publicKeySet } from '../../../gateway/serve/identity.ts';
import { createRemoteIdentityKeys } from '../../../gateway/serve/identity-keys.ts';
import { Principal } from '../../../services/shared/access/principal.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import { createServiceApp } from '../../../services/shared/http/create-service-app.ts';
import { defineRoute } from '../../../services/shared/http/route.ts';
import { IDENTITY_ALGORITHM, IDENTITY_HEADER } from '../../../services/shared/identity/identity-token.ts';
import {
  createVerifyIdentity,
  type VerifyIdentity,
} from '../../../services/shared/identity/verify-identity.ts';
import { TEST_ENDPOINT, testCaller } from '../../support/identity.ts';
import { createLogWatch } from '../../support/log-watch.ts';
import { rejection } from '../../support/rejection.ts';
import { type Served, serve } from '../../support/serve.ts';
import { createTestClock, type TestClock } from '../../support/test-clock.ts';

async function newKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(IDENTITY_ALGORITHM, { crv: 'Ed25519', extractable: true });
  return { ...(await exportJWK(privateKey)), kid };
}

const pingRoute = defineRoute<object>({
  operationId: 'ping',
  method: 'GET',
  path: '/ping',
  rule: { scopes: ['read:data'] },
  summary: 'Ping',
  description: 'Answers.',
  tags: ['test'],
  success: { status: 200, schema: z.object({ success: z.literal(true) }), example: { success: true } },
  errors: [],
  handler: async () => ({ body: { success: true } }),
});

/** An endpoint of the route that the tests ask. */
const PING_ENDPOINT = { ...TEST_ENDPOINT, routes: ['GET /ping'] };

describe('identity keys at a URL', () => {
  const keys: Record<'first' | 'second' | 'third', JWK> = { first: {}, second: {}, third: {} };
  let clock: TestClock;
  let published: Served;
  /** What the key server answers; null: it breaks the connection. */
  let answer: { status: number; body: string } | null;
  let readings: number;
  let told: unknown[];
  let verify: VerifyIdentity;

  before(async () => {
    for (const name of ['first', 'second', 'third'] as const) keys[name] = await newKey(name);
  });
  beforeEach(async () => {
    clock = createTestClock();
    readings = 0;
    told = [];
    publish(keys.first, keys.second);
    published = await serve((req, res) => {
      readings++;
      if (req.url === '/elsewhere') res.end(JSON.stringify(publicKeySet([keys.first])));
      else if (answer === null) req.socket.destroy();
      else if (answer.status === 302) res.writeHead(302, { location: '/elsewhere' }).end();
      else res.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
    const source = createRemoteIdentityKeys(`${published.url}/.well-known/jwks.json`, clock, (fault) =>
      told.push(fault),
    );
    verify = createVerifyIdentity(source, 'query', clock);
  });
  afterEach(() => published.close());

  function publish(...set: JWK[]): void {
    answer = { status: 200, body: JSON.stringify(publicKeySet(set)) };
  }
  /** A new token, never seen before, for another principal each time. */
  let principals = 0;
  const signed = async (key: JWK) => {
    const principal = new Principal(testCaller({ id: `key_${principals++}` }), {});
    return (await createIdentitySigner([key], clock)).token(principal, 'query', PING_ENDPOINT);
  };
  const isBelieved = async (key: JWK) => (await verify(await signed(key))) !== null;
  const fault = async (key: JWK) => rejection(verify(await signed(key)));
  const expectUnavailable = (thrown: unknown) =>
    expect(thrown).to.be.instanceOf(ApiError).with.property('kind', 'SERVICE_UNAVAILABLE');

  it('are read once, and two live ones are believed, however many tokens come at once', async () => {
    const tokens = await Promise.all([keys.first, keys.second, keys.first, keys.second].map(signed));
    const callers = await Promise.all(tokens.map((token) => verify(token)));
    expect(callers.every((caller) => caller !== null)).to.equal(true);
    expect(readings).to.equal(1);
  });

  it('believe no key that is not published, and ask for strangers once in a second', async () => {
    expect(await isBelieved(keys.third)).to.equal(false);
    const before = readings;
    for (let count = 0; count < 20; count++) expect(await isBelieved(keys.third)).to.equal(false);
    expect(readings).to.equal(before);
    clock.advance(1_000);
    await isBelieved(keys.third);
    expect(readings).to.equal(before + 1);
  });

  it('follow a change at its first token, and within a minute forget what was taken out', async () => {
    expect(await isBelieved(keys.first)).to.equal(true);
    publish(keys.second, keys.third);
    clock.advance(1_000);
    expect(await isBelieved(keys.third)).to.equal(true);
    expect(await isBelieved(keys.second)).to.equal(true);
    expect(await isBelieved(keys.first)).to.equal(false);
    publish(keys.third);
    clock.advance(60_000);
    expect(await isBelieved(keys.second)).to.equal(false);
    expect(await isBelieved(keys.third)).to.equal(true);
  });

  it('serve on while their server is down, for as long as it takes', async () => {
    expect(await isBelieved(keys.first)).to.equal(true);
    for (const broken of [null, { status: 500, body: '' }, { status: 200, body: '{"keys":[]}' }]) {
      answer = broken;
      clock.advance(3_600_000);
      expect(await isBelieved(keys.first)).to.equal(true);
      expect(await isBelieved(keys.second)).to.equal(true);
    }
  });

  it('are neither good nor bad, but SERVICE_UNAVAILABLE, where a server that is down could say more', async () => {
    answer = null;
    expectUnavailable(await fault(keys.first));
    publish(keys.first);
    clock.advance(1_000);
    expect(await isBelieved(keys.first)).to.equal(true);
    answer = null;
    clock.advance(1_000);
    expectUnavailable(await fault(keys.third));
    expectUnavailable(await fault(keys.third));
    expect(await isBelieved(keys.first)).to.equal(true);
    publish(keys.first, keys.third);
    clock.advance(1_000);
    expect(await isBelieved(keys.third)).to.equal(true);
    expect(told.map((each) => each === null)).to.deep.equal([false, true, false, true]);
  });

  it('follow no redirect, and take no set that is too large or malformed', async () => {
    const bodies = ['not json', '[]', '{"keys":[{"kty":"OKP"}]}', `{"keys":[]}${' '.repeat(70_000)}`];
    for (const body of bodies) {
      answer = { status: 200, body };
      expectUnavailable(await fault(keys.first));
      clock.advance(1_000);
    }
    answer = { status: 302, body: '' };
    expectUnavailable(await fault(keys.first));
  });

  it('make a service answer 503 with Retry-After without them, 401 for a stranger and 200 with them', async () => {
    const log = createLogWatch();
    const app = createServiceApp({
      routes: [pingRoute],
      ports: {},
      verifyIdentity: verify,
      logger: log.logger,
      health: async () => {},
    });
    const service = await serve(app);
    const ask = async (key: JWK) => {
      const response = await fetch(`${service.url}/ping`, {
        headers: { [IDENTITY_HEADER]: await signed(key) },
      });
      await response.body?.cancel();
      // By its own header a service tells the gateway that it refuses it, and not its client.
      const ofGateway = response.headers.get(IDENTITY_HEADER);
      return [response.status, response.statusText, response.headers.get('retry-after'), ofGateway];
    };
    answer = null;
    expect(await ask(keys.first)).to.deep.equal([503, 'UPSTREAM_UNAVAILABLE', '1', null]);
    publish(keys.first);
    clock.advance(1_000);
    expect(await ask(keys.first)).to.deep.equal([200, 'OK', null, null]);
    clock.advance(1_000);
    expect(await ask(keys.third)).to.deep.equal([401, 'AUTH_REQUIRED', null, 'refused']);
    await service.close();
    log.assertClean();
  });
});
