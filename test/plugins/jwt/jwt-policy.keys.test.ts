/** The keys of the provider behind the jwt policy: when they are read, how a change arrives, and what counts while they cannot be. */
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { expectError, expectSuccess } from '../../support/answers.ts';
import { eventually } from '../../support/eventually.ts';
import {
  type KeysAnswer,
  newProviderKey,
  type ProviderKey,
  signToken,
} from '../../support/identity-provider.ts';
import { type JwtGateway, startJwtGateway } from '../../support/start-jwt-gateway.ts';

const MINUTE_MS = 60_000;

describe('the keys of the jwt policy', () => {
  const second = newProviderKey('second');
  let gateway: JwtGateway;
  let subjects = 0;

  beforeEach(async () => {
    gateway = await startJwtGateway();
  });
  afterEach(() => gateway.close());

  /** A token that was never seen before. */
  const fresh = (key: ProviderKey = gateway.key) =>
    signToken(key, gateway.provider.claims({ sub: `user-${subjects++}` }));
  const statusOf = async (token: string) => (await gateway.ask(token)).status;
  const expectUnavailable = async (token: string) => {
    const before = gateway.seen.length;
    const answer = await gateway.ask(token);
    expectError(answer, 503, 'UPSTREAM_UNAVAILABLE', gateway.clock.now());
    expect(gateway.seen).to.have.lengthOf(before);
  };

  it('are read once, however many tokens come at once, and no more while they are fresh', async () => {
    expect(gateway.provider.readings).to.equal(0);
    const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(fresh())));
    expect(statuses).to.deep.equal(Array(20).fill(200));
    expect(gateway.provider.readings).to.equal(1);
    gateway.clock.advance(4 * MINUTE_MS - 1);
    expect(await statusOf(fresh())).to.equal(200);
    expect(gateway.provider.readings).to.equal(1);
  });

  it('are read again before they are old, and no token waits for that', async () => {
    expect(await statusOf(fresh())).to.equal(200);
    const asked: ServerResponse[] = [];
    gateway.provider.answer = (res) => asked.push(res);
    gateway.clock.advance(4 * MINUTE_MS);
    expect(await statusOf(fresh())).to.equal(200);
    await eventually(() => asked.length).equals(1);
    expect(await statusOf(fresh())).to.equal(200);
    for (const res of asked) res.destroy();
  });

  it('follow a rotation at its first token, and forget what was taken out', async () => {
    expect(await statusOf(fresh())).to.equal(200);
    gateway.provider.publish(gateway.key, second);
    gateway.clock.advance(10_000);
    expect(await statusOf(fresh(second))).to.equal(200);
    expect(await statusOf(fresh())).to.equal(200);

    gateway.provider.publish(second);
    const known = fresh();
    expect(await statusOf(known)).to.equal(200);
    gateway.clock.advance(5 * MINUTE_MS);
    expect(await statusOf(fresh())).to.equal(401);
    expect(await statusOf(known)).to.equal(401);
    expect(await statusOf(fresh(second))).to.equal(200);
  });

  it('are read before a token counts where nobody asked for long, and all that come meanwhile wait', async () => {
    expect(await statusOf(fresh())).to.equal(200);
    gateway.provider.publish(second);
    gateway.clock.advance(30 * MINUTE_MS);
    expect(await Promise.all([statusOf(fresh()), statusOf(fresh())])).to.deep.equal([401, 401]);
    expect(await statusOf(fresh(second))).to.equal(200);
    expect(gateway.provider.readings).to.equal(2);
  });

  it('are asked for an unknown name once in ten seconds, whatever is tried', async () => {
    expect(await statusOf(fresh())).to.equal(200);
    gateway.clock.advance(10_000);
    const before = gateway.provider.readings;
    for (let count = 0; count < 10; count++)
      expect(
        await statusOf(signToken(gateway.key, gateway.provider.claims(), { kid: `k${count}` })),
      ).to.equal(401);
    expect(gateway.provider.readings).to.equal(before + 1);
    gateway.clock.advance(10_000);
    expect(await statusOf(fresh(second))).to.equal(401);
    expect(gateway.provider.readings).to.equal(before + 2);
  });

  it('are none that a token of another algorithm makes the gateway ask for', async () => {
    for (const alg of ['none', 'HS256', 'PS512']) await statusOf(signToken(gateway.key, {}, { alg }));
    expect(gateway.provider.readings).to.equal(0);
  });

  it('open nothing before they were read: 503 with Retry-After, and none of these reaches the backend', async () => {
    const broken: Record<string, KeysAnswer> = {
      'breaks off': (res) => res.destroy(),
      'answers 500': (res) => res.writeHead(500).end('{}'),
      'answers 404 with keys': (res) => res.writeHead(404).end(JSON.stringify({ keys: [gateway.key.jwk] })),
      'answers no JSON': (res) => res.end('keys'),
      'answers no keys': (res) => res.end('{}'),
      'answers other things': (res) => res.end('{"keys":["first"]}'),
      'answers too much': (res) => res.end(`{"keys":[]}${' '.repeat(262_144)}`),
      'answers too much, endlessly': (res) => {
        const write = (): void => {
          while (!res.destroyed && res.write(' '.repeat(65_536)));
        };
        res.on('drain', write);
        write();
      },
      redirects: (res) => res.writeHead(302, { location: gateway.provider.jwksUrl }).end(),
      'breaks off in the middle': (res) => {
        res.writeHead(200, { 'content-length': 1_000 });
        res.write('{"keys":[', () => res.destroy());
      },
    };
    for (const [name, answer] of Object.entries(broken)) {
      gateway.provider.answer = answer;
      const before = gateway.provider.readings;
      await expectUnavailable(fresh());
      expect(gateway.provider.readings, name).to.equal(before + 1);
      // The next one does not ask at once.
      await expectUnavailable(fresh());
      expect(gateway.provider.readings, name).to.equal(before + 1);
      gateway.clock.advance(1_000);
    }
    gateway.provider.publish(gateway.key);
    expectSuccess(await gateway.ask(fresh()), 200, gateway.clock.now());
  });

  it('are waited for by all tokens that need them, and for a bounded time', async () => {
    let waiting = 0;
    gateway.provider.answer = () => {
      waiting++;
    };
    // More than the time-out of the reading passes; nobody answers.
    const answers = await Promise.all([fresh(), fresh(), fresh()].map((token) => gateway.ask(token)));
    for (const answer of answers) expectError(answer, 503, 'UPSTREAM_UNAVAILABLE', gateway.clock.now());
    expect(waiting).to.equal(1);
    expect(gateway.seen).to.have.lengthOf(0);
  });

  it('stay valid for an hour while the provider is down, and then open nothing', async () => {
    expect(await statusOf(fresh())).to.equal(200);
    gateway.provider.answer = (res) => res.destroy();
    gateway.clock.advance(64 * MINUTE_MS);
    expect(await statusOf(fresh())).to.equal(200);
    // A name that they do not have may be one of the provider's by now.
    gateway.clock.advance(1_000);
    await expectUnavailable(fresh(second));
    gateway.clock.advance(MINUTE_MS);
    await expectUnavailable(fresh());
    gateway.provider.publish(gateway.key);
    gateway.clock.advance(1_000);
    expect(await statusOf(fresh())).to.equal(200);
  });

  it('trust nobody once the provider publishes an empty set', async () => {
    expect(await statusOf(fresh())).to.equal(200);
    gateway.provider.publish();
    gateway.clock.advance(5 * MINUTE_MS);
    expect(await statusOf(fresh())).to.equal(401);
  });

  it('are those of a name; without one they count where no other could be meant', async () => {
    const unnamed = () => signToken(gateway.key, gateway.provider.claims(), { kid: undefined });
    expect(await statusOf(unnamed())).to.equal(200);
    gateway.provider.publish(gateway.key, second);
    gateway.clock.advance(5 * MINUTE_MS);
    expect(await statusOf(fresh(second))).to.equal(200);
    expect(await statusOf(unnamed())).to.equal(401);
  });

  it('verify RSA and Edwards curves as well, and not those that are made for something else', async () => {
    const rsa = newProviderKey('rsa', 'RS256');
    const edwards = newProviderKey('edwards', 'EdDSA');
    const forOther = newProviderKey('other');
    const encrypting = { ...forOther, jwk: { ...forOther.jwk, use: 'enc' } };
    gateway.provider.publish(rsa, edwards, encrypting);
    expect(await statusOf(fresh(rsa))).to.equal(200);
    expect(await statusOf(fresh(edwards))).to.equal(200);
    expect(await statusOf(fresh(encrypting))).to.equal(401);
    expect(await statusOf(signToken(edwards, gateway.provider.claims(), { kid: 'rsa' }))).to.equal(401);
    expect(await statusOf(signToken(rsa, gateway.provider.claims(), { alg: 'EdDSA' }))).to.equal(401);
  });

  it('are asked for without a credential, at their address alone', async () => {
    let head: { url: string | undefined; names: string[] } | null = null;
    gateway.provider.answer = (res) => {
      head = { url: res.req.url, names: Object.keys(res.req.headers) };
      res.end(JSON.stringify({ keys: [gateway.key.jwk] }));
    };
    expect(await statusOf(fresh())).to.equal(200);
    const { url, names } = head ?? expect.fail('nobody asked');
    expect(url).to.equal('/keys');
    expect(names).to.not.include.any.members(['authorization', 'cookie', 'x-api-key']);
  });
});
