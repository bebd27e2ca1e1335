/** Several gateway processes over one store: what one changes binds on the other, by Redis, by the change counter, or by age. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataPathsOf } from '../../config/data-directory.ts';
import { hashApiKey } from '../../services/shared/credentials/api-key-text.ts';
import { systemClock } from '../../services/shared/ports/clock.ts';
import { MemoryBus } from '../../services/shared/storage/memory/memory-bus.ts';
import { publishWrites } from '../../services/shared/storage/publish-writes.ts';
import { parseRedisUrl } from '../../services/shared/storage/redis/redis-address.ts';
import { RedisBus } from '../../services/shared/storage/redis/redis-bus.ts';
import { createSqliteDocumentStore } from '../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { freePort } from '../support/free-port.ts';
import { FailedStart, type ServerProcess, startProcess } from '../support/gateway-process.ts';
import { requireRedis, startRedis, type TestRedis } from '../support/redis-server.ts';
import { newKeyText } from '../support/start-tidegate.ts';

/** Within what a revocation binds on every gateway process, in milliseconds (contract.md section 3). */
const BINDS_MS = 5_000;
/** The same where the processes are told, on a busy machine; sooner than by age alone. */
const TOLD_MS = 3_000;
const KEYS = Array.from({ length: 8 }, newKeyText);

const PROVISIONING = `
organizations:
  - id: org_g
    name: G
    plan: free
    limits: { per10Seconds: 1000000, perMinute: 1000000 }
    websites: [{ id: web_g, name: G, domain: g.example.com }]
    users:
      - { email: owner@example.com, password: correct horse, role: owner }
      - { email: member@example.com, password: correct horse, role: member }
    apiKeys:
${KEYS.map((key, index) => `      - { id: key_${index}, name: k, key: ${key}, scopes: [read:data], access: { level: global } }`).join('\n')}
`;

describe('several gateway processes', () => {
  let folder: string;
  let processes: ServerProcess[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tidegate-gateways-'));
    writeFileSync(join(folder, 'provision.yml'), PROVISIONING);
    processes = [];
  });
  afterEach(async () => {
    await Promise.all(processes.map((each) => each.end('SIGKILL')));
    rmSync(folder, { recursive: true, force: true });
  });

  async function addresses(): Promise<Record<string, string>> {
    const [query, tracking, resources] = await Promise.all([freePort(), freePort(), freePort()]);
    return {
      DATA_DIR: join(folder, 'data'),
      QUERY_URL: `http://127.0.0.1:${query}`,
      TRACKING_URL: `http://127.0.0.1:${tracking}`,
      RESOURCES_URL: `http://127.0.0.1:${resources}`,
    };
  }

  /** The embedded server and a gateway beside it. */
  async function startBoth(redisUrl?: string): Promise<[ServerProcess, ServerProcess]> {
    const environment = {
      ...(await addresses()),
      ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    };
    const embedded = await startProcess('main', {
      ...environment,
      PROVISION_FILE: join(folder, 'provision.yml'),
    });
    processes.push(embedded);
    const further = await startProcess('main-gateway', environment);
    processes.push(further);
    return [embedded, further];
  }

  const status = async ({ origin }: ServerProcess, index: number): Promise<number> => {
    const response = await fetch(`${origin}/v1/query/websites`, {
      headers: { 'x-api-key': KEYS[index] ?? '' },
    });
    await response.body?.cancel();
    return response.status;
  };

  /** Revokes as a writer in a process of its own does; with a bus of that process. Returns when it was written. */
  async function revoke(index: number, redisUrl: string | null): Promise<number> {
    const bus =
      redisUrl === null
        ? new MemoryBus()
        : new RedisBus({ address: parseRedisUrl(redisUrl), onConnection: () => {} });
    if (bus instanceof RedisBus) await bus.connected();
    const path = dataPathsOf(join(folder, 'data')).documents;
    const store = createSqliteDocumentStore({ path, clock: systemClock });
    const documents = publishWrites(store, bus);
    const key = await documents.apiKeys.findUnique('keyHash', [hashApiKey(KEYS[index] ?? '')]);
    const revokedAt = new Date().toISOString();
    await documents.apiKeys.update('org_g', key?.id ?? '', key?.version ?? 0, { revokedAt });
    const writtenAt = performance.now();
    await store.close();
    await bus.close();
    return writtenAt;
  }

  /** How long after `since` the last request was asked that was not refused with 401; asked without pause, until one is. */
  async function passedUntil(read: () => Promise<number>, since: number): Promise<number> {
    let lastPassed = since;
    for (;;) {
      const asked = performance.now();
      if ((await read()) === 401) return lastPassed - since;
      lastPassed = asked;
      if (asked - since > BINDS_MS) return lastPassed - since;
    }
  }

  async function expectBinds(gateways: readonly ServerProcess[], index: number, redisUrl: string | null) {
    for (const gateway of gateways) expect(await status(gateway, index)).to.equal(200);
    const since = await revoke(index, redisUrl);
    const delays = await Promise.all(
      gateways.map((gateway) => passedUntil(() => status(gateway, index), since)),
    );
    for (const delay of delays) expect(delay).to.be.below(BINDS_MS);
    return delays;
  }

  /** Calls as a page of the service does. */
  async function ask({ origin }: ServerProcess, method: string, path: string, cookie = '', body?: unknown) {
    const headers = { origin: 'http://localhost:5173', 'content-type': 'application/json', cookie };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${origin}${path}`, { method, headers, ...sent });
    const text = await response.text();
    return { status: response.status, headers: response.headers, data: text && JSON.parse(text).data };
  }

  async function login(gateway: ServerProcess, email: string): Promise<string> {
    const answer = await ask(gateway, 'POST', '/v1/auth/login', '', { email, password: 'correct horse' });
    expect(answer.status).to.equal(200);
    return answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
  }

  /** Revokes a key through the further gateway, which refuses the very next call with it; the other one does within 5 s. */
  async function expectOwnRevoke(
    [embedded, further]: readonly [ServerProcess, ServerProcess],
    index: number,
  ) {
    const owner = await login(further, 'owner@example.com');
    for (const gateway of [embedded, further]) expect(await status(gateway, index)).to.equal(200);
    const revoked = await ask(further, 'POST', `/v1/api-keys/key_${index}/revoke`, owner);
    const since = performance.now();
    expect([revoked.status, await status(further, index)]).to.deep.equal([200, 401]);
    expect(await passedUntil(() => status(embedded, index), since)).to.be.below(BINDS_MS);
  }

  /** Removes the member through the further gateway, which refuses its session from the next call on. */
  async function expectOwnRemoval([embedded, further]: readonly [ServerProcess, ServerProcess]) {
    const owner = await login(further, 'owner@example.com');
    const member = await login(further, 'member@example.com');
    const read = async (gateway: ServerProcess) =>
      (await ask(gateway, 'GET', '/v1/query/websites', member)).status;
    for (const gateway of [embedded, further]) expect(await read(gateway)).to.equal(200);
    const { data } = await ask(further, 'GET', '/v1/members?search=member%40', owner);
    const removed = await ask(further, 'DELETE', `/v1/members/${data[0].id}`, owner);
    const since = performance.now();
    expect([removed.status, await read(further)]).to.deep.equal([204, 401]);
    expect(await passedUntil(() => read(embedded), since)).to.be.below(BINDS_MS);
  }

  it('without Redis refuse what they answered to have ended from the next call on', async () => {
    const gateways = await startBoth();
    for (const index of [0, 1]) await expectOwnRevoke(gateways, index);
    await expectOwnRemoval(gateways);
  });

  it('answer alike, sign with the same keys, and say what they count apart', async () => {
    const [embedded, further] = await startBoth();
    const read = async ({ origin }: ServerProcess) => {
      const response = await fetch(`${origin}/v1/query/websites`, {
        headers: { 'x-api-key': KEYS[0] ?? '' },
      });
      return response.json();
    };
    expect(await read(further)).to.deep.equal(await read(embedded));
    expect(further.output()).to.contain('each gateway process counts rate limits on its own');
    const ready = await fetch(`${further.origin}/health/ready`);
    expect(ready.status).to.equal(200);
    expect(await further.end('SIGTERM')).to.equal(0);
    expect(await status(embedded, 0)).to.equal(200);
    expect(await embedded.end('SIGTERM')).to.equal(0);
  });

  it('without Redis refuse a key within 5 s of its revocation', async () => {
    await expectBinds(await startBoth(), 0, null);
  });

  it('refuse to start without the services, the store or the secrets, in words', async () => {
    const missing = await startProcess('main-gateway', { DATA_DIR: join(folder, 'data') }).catch(
      (fault: unknown) => fault,
    );
    expect(missing).to.be.instanceOf(FailedStart);
    for (const name of ['QUERY_URL', 'TRACKING_URL', 'RESOURCES_URL']) {
      expect((missing as FailedStart).output).to.contain(`${name} is missing`);
    }
    const early = await startProcess('main-gateway', await addresses()).catch((fault: unknown) => fault);
    expect((early as FailedStart).code).to.equal(1);
    expect((early as FailedStart).output).to.contain('start the embedded server (npm start) first');
  });

  it('refuse several addresses of a service of the embedded server, which listens at one', async () => {
    const environment = {
      ...(await addresses()),
      QUERY_URL: 'http://127.0.0.1:4001,http://127.0.0.1:4002',
    };
    const fault = await startProcess('main', environment).catch((thrown: unknown) => thrown);
    expect((fault as FailedStart).output).to.contain(
      'QUERY_URL="http://127.0.0.1:4001,http://127.0.0.1:4002": an embedded service listens at one address',
    );
  });

  it('keep services of the embedded server on the loopback address', async () => {
    const environment = { ...(await addresses()), QUERY_URL: 'http://0.0.0.0:4001' };
    const fault = await startProcess('main', environment).catch((thrown: unknown) => thrown);
    expect((fault as FailedStart).output)
      .to.contain('QUERY_URL="http://0.0.0.0:4001"')
      .and.contain('127.0.0.1 only');
  });

  describe('with Redis', () => {
    let redis: TestRedis;

    before(async function () {
      requireRedis(this);
      redis = await startRedis();
    });
    after(() => redis?.kill());

    it('log no password of Redis, right or wrong', async () => {
      const url = redis.url.replace('redis://', 'redis://stranger:secret-of-redis@');
      const environment = { ...(await addresses()), REDIS_URL: url };
      const embedded = await startProcess('main', {
        ...environment,
        PROVISION_FILE: join(folder, 'provision.yml'),
      });
      processes.push(embedded);
      while (!embedded.output().includes('Redis is lost')) await status(embedded, 0);
      expect(embedded.output(), embedded.output()).to.not.contain('secret-of-redis');
      const fault = await startProcess('main', { REDIS_URL: 'redis:/secret-of-redis' }).catch(
        (thrown) => thrown,
      );
      expect((fault as FailedStart).output)
        .to.contain('REDIS_URL=(not shown)')
        .and.not.contain('secret-of-redis');
    });

    it('refuse what they answered to have ended from the next call on, also when Redis is gone', async () => {
      const gateways = await startBoth(redis.url);
      for (const index of [0, 1]) await expectOwnRevoke(gateways, index);
      await redis.kill();
      for (const index of [2, 3]) await expectOwnRevoke(gateways, index);
      await expectOwnRemoval(gateways);
      await redis.start();
    });

    it('refuse a key as soon as they are told, and within 5 s when Redis is gone', async () => {
      const gateways = await startBoth(redis.url);
      const told = await expectBinds(gateways, 0, redis.url);
      // By age alone it would last until 4 s after the verdict, which was made just before.
      for (const delay of told) expect(delay).to.be.below(TOLD_MS);
      await redis.kill();
      await expectBinds(gateways, 1, null);
      await redis.start();
    });
  });
});
