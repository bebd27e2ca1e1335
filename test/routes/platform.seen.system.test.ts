/** What operators see from any of several gateway processes within 20 seconds: a dead address, a lost Redis, a reload, and a refused one. */
import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import type { PlatformData, PlatformView } from '../../plugins/kit/platform-views.ts';
import { freePort } from '../support/free-port.ts';
import { type ServerProcess, startProcess } from '../support/gateway-process.ts';
import { requireRedis, startRedis, type TestRedis } from '../support/redis-server.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

const SEEN_MS = 20_000;
/** Between two looks: each counts in the limit `usage`. */
const PAUSE_MS = 750;

const PROVISIONING = `
organizations:
  - id: org_g
    name: G
    plan: free
    users:
      - { email: owner@example.com, password: correct horse, role: owner, operator: true }
`;

describe('what operators see of several processes', function () {
  this.timeout(120_000);
  const folder = createTempDirectory();
  const processes: ServerProcess[] = [];
  const backends: Server[] = [];
  let redis: TestRedis | null = null;
  let cookie = '';

  before(async function () {
    requireRedis(this);
    redis = await startRedis();
    writeFileSync(folder.file('provision.yml'), PROVISIONING);
    cpSync(`${PACKAGE_ROOT}/config`, folder.file('config'), { recursive: true });
    for (let count = 0; count < 2; count++) backends.push(await startBackend());
    put('gateway.config.yml', (text) => withOrders(text, backends.map(originOf)));
    const [query, tracking, resources] = [await freePort(), await freePort(), await freePort()];
    const environment = {
      DATA_DIR: folder.file('data'),
      CONFIG_DIR: folder.file('config'),
      REDIS_URL: redis.url,
      QUERY_URL: `http://127.0.0.1:${query}`,
      TRACKING_URL: `http://127.0.0.1:${tracking}`,
      RESOURCES_URL: `http://127.0.0.1:${resources}`,
    };
    const provisioned = { ...environment, PROVISION_FILE: folder.file('provision.yml') };
    processes.push(await startProcess('main', provisioned));
    processes.push(await startProcess('main-gateway', environment));
    const response = await fetch(`${processes[1]?.origin}/v1/auth/login`, {
      method: 'POST',
      headers: { origin: 'http://localhost', 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'owner@example.com', password: 'correct horse' }),
    });
    expect(response.status).to.equal(200);
    cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
  });
  after(async () => {
    await Promise.all(processes.map((each) => each.end('SIGKILL')));
    for (const backend of backends) backend.close();
    await redis?.kill();
    folder.remove();
  });

  /** At one stroke: the watch of each gateway reads the file whenever it likes. */
  function put(name: string, change: (text: string) => string): void {
    const file = folder.file(`config/${name}`);
    writeFileSync(folder.file('next'), change(readFileSync(file, 'utf8')));
    renameSync(folder.file('next'), file);
  }

  async function look<View extends PlatformView>(view: View, query = ''): Promise<PlatformData<View>> {
    const response = await fetch(`${processes[1]?.origin}/v1/platform/${view}${query}`, {
      headers: { origin: 'http://localhost', cookie },
    });
    const body = (await response.json()) as { data: PlatformData<View> };
    if (response.status !== 200) throw new Error(`${view}: ${response.status} ${JSON.stringify(body)}`);
    return body.data;
  }

  /** Looks until it is seen. @throws Error with what was seen last, when that takes too long */
  async function sees<View extends PlatformView>(
    view: View,
    isSeen: (data: PlatformData<View>) => boolean,
  ): Promise<PlatformData<View>> {
    const since = performance.now();
    for (;;) {
      const data = await look(view);
      if (isSeen(data)) return data;
      if (performance.now() - since > SEEN_MS) throw new Error(`not seen: ${JSON.stringify(data)}`);
      await delay(PAUSE_MS);
    }
  }

  const orders = ({ upstreams }: PlatformData<'upstreams'>) =>
    upstreams.find(({ service }) => service === 'orders')?.addresses ?? [];

  it('show an address that is dead, as both of them hold it', async () => {
    const healthy = await sees('upstreams', (data) => orders(data).every(({ gateways }) => gateways === 2));
    expect(orders(healthy).map(({ isChecked, outAt }) => [isChecked, outAt])).to.deep.equal([
      [true, 0],
      [true, 0],
    ]);
    backends[1]?.closeAllConnections();
    backends[1]?.close();
    const dead = await sees('upstreams', (data) => orders(data)[1]?.unhealthyAt === 2);
    expect(orders(dead)[0]?.outAt).to.equal(0);
    expect(dead.checks.orders).to.equal('degraded');
  });

  it('show that Redis is lost, and that it is back', async () => {
    const states = ({ counterStores }: PlatformData<'upstreams'>) => counterStores.map(({ state }) => state);
    await sees('upstreams', (data) => states(data).join() === 'answers,answers');
    await redis?.kill();
    const lost = await sees('upstreams', (data) => !states(data).includes('answers'));
    expect(states(lost)).to.have.length(2);
    expect((await sees('upstreams', ({ checks }) => checks.counters === 'degraded')).documentStore).to.equal(
      'answers',
    );
    await redis?.start();
    await sees('upstreams', (data) => states(data).join() === 'answers,answers');
  });

  it('show a reload with what it changed, and every fault of one that is refused', async () => {
    const before = await look('configuration');
    put('plans.yml', (text) => text.replace('perMinute: 300', 'perMinute: 3000'));
    const after = await sees(
      'configuration',
      ({ hash, differ, gateways }) => hash !== before.hash && !differ && gateways.length === 2,
    );
    const { configurations } = await look('history');
    const newest = configurations.find(({ hash }) => hash === after.hash);
    expect(newest?.outcome).to.equal('applied');
    const { changes } = await look('changes', `?number=${newest?.number}`);
    expect(changes.map(({ subject, name, kind }) => [subject, name, kind])).to.deep.equal([
      ['plan', 'free', 'changed'],
    ]);
    put('plans.yml', (text) => text.replace(/^limits:/m, 'limit:'));
    const history = await sees('history', (data) => data.configurations[0]?.outcome === 'refused');
    expect(history.configurations[0]?.faults.join('\n'))
      .to.include('limits: is missing')
      .and.include('unknown key "limit"');
    expect((await look('configuration')).hash).to.equal(after.hash);
  });
});

/** A backend that answers everything. */
async function startBackend(): Promise<Server> {
  const server = createServer((_, res) => res.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The shipped configuration with a backend of two addresses besides. */
function withOrders(text: string, urls: readonly string[]): string {
  const parts: readonly (readonly [string, string])[] = [
    ['apiEndpoints:\n', '  orders:\n    paths: /orders\n    methods: GET\n    access: public\n'],
    [
      'serviceEndpoints:\n',
      `  orders:\n    urls: [${urls.join(', ')}]\n    healthCheck: { path: /up, intervalSeconds: 1 }\n    required: false\n`,
    ],
    [
      'pipelines:\n',
      '  orders:\n    apiEndpoints: [orders]\n    policies:\n      - auth:\n      - body:\n      - rate-limit:\n      - proxy:\n          - action: { serviceEndpoint: orders }\n',
    ],
  ];
  return parts.reduce((changed, [section, more]) => {
    expect(changed).to.include(section);
    return changed.replace(section, section + more);
  }, text);
}
