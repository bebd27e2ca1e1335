/** Two gateway processes over one store: a caller that loses its right on one loses its WebSockets on both, with Redis and without. */
import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { withForeignBackends } from '../support/foreign-backends.ts';
import { freePort } from '../support/free-port.ts';
import { type ServerProcess, startProcess } from '../support/gateway-process.ts';
import { requireRedis, startRedis, type TestRedis } from '../support/redis-server.ts';
import { newKeyText } from '../support/start-tidegate.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { until } from '../support/until.ts';
import { startWebSocketBackend, type WebSocketBackend } from '../support/web-socket-backend.ts';
import { type Heard, openWebSocket } from '../support/web-socket-client.ts';

/** Within what a loss of rights binds on every gateway process, in milliseconds (contract.md section 3). */
const BINDS_MS = 5_000;
const KEYS = Array.from({ length: 4 }, newKeyText);

const PROVISIONING = `
organizations:
  - id: org_l
    name: L
    plan: free
    limits: { per10Seconds: 1000000, perMinute: 1000000 }
    users:
      - { email: owner@example.com, password: correct horse, role: owner }
      - { email: member@example.com, password: correct horse, role: member }
    apiKeys:
${KEYS.map((key, index) => `      - { id: key_${index}, name: k, key: ${key}, scopes: [read:data], access: { level: global } }`).join('\n')}
`;

describe('WebSockets of a caller that loses its right, over two gateways', () => {
  let redis: TestRedis | null;
  let backend: WebSocketBackend;
  let config: TempDirectory;
  let folder: TempDirectory;
  let gateways: ServerProcess[];

  beforeEach(async () => {
    redis = null;
    gateways = [];
    backend = await startWebSocketBackend();
    config = withForeignBackends({ live: { service: [`url: ${backend.origin}`], proxy: 'webSocket: {}' } });
    folder = createTempDirectory();
    writeFileSync(folder.file('provision.yml'), PROVISIONING);
  });
  afterEach(async () => {
    await Promise.all(gateways.map((each) => each.end('SIGKILL')));
    await redis?.kill();
    await backend.close();
    config.remove();
    folder.remove();
  });

  async function startBoth(settings: Readonly<Record<string, string>>): Promise<void> {
    const [query, tracking, resources] = await Promise.all([freePort(), freePort(), freePort()]);
    const environment = {
      DATA_DIR: folder.file('data'),
      CONFIG_DIR: config.path,
      QUERY_URL: `http://127.0.0.1:${query}`,
      TRACKING_URL: `http://127.0.0.1:${tracking}`,
      RESOURCES_URL: `http://127.0.0.1:${resources}`,
      ...settings,
    };
    gateways.push(
      await startProcess('main', { ...environment, PROVISION_FILE: folder.file('provision.yml') }),
    );
    gateways.push(await startProcess('main-gateway', environment));
  }

  /** Asks the second gateway as a page of the service does. */
  async function ask(method: string, path: string, cookie = '', body?: unknown): Promise<Response> {
    const headers = { origin: 'http://localhost:5173', 'content-type': 'application/json', cookie };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return fetch(`${gateways[1]?.origin}${path}`, { method, headers, ...sent });
  }

  async function login(email: string): Promise<string> {
    const answer = await ask('POST', '/v1/auth/login', '', { email, password: 'correct horse' });
    expect(answer.status).to.equal(200);
    return answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
  }

  const openAtBoth = (headers: Record<string, string>): Promise<Heard[]> =>
    Promise.all(gateways.map(({ origin }) => openWebSocket(`${origin}/live`, headers)));

  /** Both end within the bound after `change` was answered; `others` stay open. */
  async function expectLoss(
    headers: Record<string, string>,
    others: readonly Heard[],
    change: () => Promise<Response>,
  ): Promise<void> {
    const opened = await openAtBoth(headers);
    const answer = await change();
    const since = performance.now();
    expect(answer.status).to.be.oneOf([200, 204]);
    await until('both gateways end them', () => opened.every(({ closed }) => closed !== null));
    expect(performance.now() - since).to.be.below(BINDS_MS);
    expect(opened.map(({ closed }) => closed?.code)).to.deep.equal([1008, 1008]);
    for (const { closed, socket, messages } of others) {
      const before = messages.length;
      socket.send('still there');
      await until('an answer', () => messages.length > before);
      expect(closed).to.equal(null);
    }
  }

  /** A key is revoked, a session logs out, a member is removed. */
  async function expectLosses(from: number): Promise<void> {
    const owner = await login('owner@example.com');
    const page = { origin: 'http://localhost:5173' };
    const others = [
      ...(await openAtBoth({ 'x-api-key': KEYS[from + 1] ?? '' })),
      ...(await openAtBoth({ ...page, cookie: owner })),
    ];
    await expectLoss({ 'x-api-key': KEYS[from] ?? '' }, others, () =>
      ask('POST', `/v1/api-keys/key_${from}/revoke`, owner),
    );
    const left = await login('member@example.com');
    await expectLoss({ ...page, cookie: left }, others, () => ask('POST', '/v1/auth/logout', left));
  }

  async function expectRemoval(): Promise<void> {
    const [owner, member] = [await login('owner@example.com'), await login('member@example.com')];
    const found = await ask('GET', '/v1/members?search=member%40', owner);
    const { data } = (await found.json()) as { data: { id: string }[] };
    await expectLoss({ origin: 'http://localhost:5173', cookie: member }, [], () =>
      ask('DELETE', `/v1/members/${data[0]?.id}`, owner),
    );
  }

  it('end within 5 s when they are told by Redis, and while Redis is cut off', async function () {
    requireRedis(this);
    redis = await startRedis();
    await startBoth({ REDIS_URL: redis.url });
    await expectLosses(0);
    await redis.kill();
    await expectLosses(2);
    await expectRemoval();
  });

  it('end within 5 s without Redis', async () => {
    await startBoth({});
    await expectLosses(0);
    await expectRemoval();
  });
});
