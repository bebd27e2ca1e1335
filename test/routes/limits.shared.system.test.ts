/** Rate limits of several gateway processes over one Redis: exact together, bounded without it, and bound at once when edited. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { freePort } from '../support/free-port.ts';
import { type ServerProcess, startProcess } from '../support/gateway-process.ts';
import { requireRedis, startRedis, type TestRedis } from '../support/redis-server.ts';
import { newKeyText } from '../support/start-tidegate.ts';
import { until } from '../support/until.ts';

const LIMIT = 50;
const GATEWAYS = 4;
const LIMITED_KEY = newKeyText();
const SINGLE_KEY = newKeyText();
const OTHER_KEY = newKeyText();
const FREE_KEY = newKeyText();
const QUOTA_KEY = newKeyText();
/** Requests of a calendar month. */
const QUOTA = 100;

/** The limit stands in the minute: its window is longer than a test takes. */
const PROVISIONING = `
organizations:
  - id: org_limited
    name: Limited
    plan: free
    limits: { per10Seconds: 1000000, perMinute: ${LIMIT} }
    apiKeys: [{ id: key_limited, name: k, key: ${LIMITED_KEY}, scopes: [read:data], access: { level: global } }]
  - id: org_single
    name: Single
    plan: free
    limits: { per10Seconds: 1000000, perMinute: ${LIMIT} }
    apiKeys: [{ id: key_single, name: k, key: ${SINGLE_KEY}, scopes: [read:data], access: { level: global } }]
  - id: org_other
    name: Other
    plan: free
    limits: { per10Seconds: 1000000, perMinute: ${LIMIT} }
    apiKeys: [{ id: key_other, name: k, key: ${OTHER_KEY}, scopes: [read:data], access: { level: global } }]
  - id: org_quota
    name: Quota
    plan: free
    limits: { per10Seconds: 1000000, perMinute: 1000000, perMonth: ${QUOTA} }
    apiKeys: [{ id: key_quota, name: k, key: ${QUOTA_KEY}, scopes: [read:data], access: { level: global } }]
  - id: org_free
    name: Free
    plan: free
    apiKeys: [{ id: key_free, name: k, key: ${FREE_KEY}, scopes: [read:data], access: { level: global } }]
`;

describe('gateway processes over one Redis', () => {
  let folder: string;
  let redis: TestRedis;
  let environment: Record<string, string>;
  let gateways: ServerProcess[];

  before(async function () {
    requireRedis(this);
    folder = mkdtempSync(join(tmpdir(), 'tidegate-limits-'));
    writeFileSync(join(folder, 'provision.yml'), PROVISIONING);
    cpSync(join(PACKAGE_ROOT, 'config'), join(folder, 'config'), { recursive: true });
    redis = await startRedis();
    const [query, tracking, resources] = await Promise.all([freePort(), freePort(), freePort()]);
    environment = {
      DATA_DIR: join(folder, 'data'),
      CONFIG_DIR: join(folder, 'config'),
      REDIS_URL: redis.url,
      QUERY_URL: `http://127.0.0.1:${query}`,
      TRACKING_URL: `http://127.0.0.1:${tracking}`,
      RESOURCES_URL: `http://127.0.0.1:${resources}`,
    };
    gateways = [
      await startProcess('main', { ...environment, PROVISION_FILE: join(folder, 'provision.yml') }),
    ];
    while (gateways.length < GATEWAYS) gateways.push(await startProcess('main-gateway', environment));
  });
  beforeEach(async () => {
    for (const gateway of gateways) await untilShared(gateway);
  });
  after(async () => {
    await Promise.all((gateways ?? []).map((gateway) => gateway.end('SIGKILL')));
    await redis?.kill();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  async function untilShared({ origin }: ServerProcess): Promise<void> {
    while ((await (await fetch(`${origin}/health`)).text()).includes('degraded')) {}
  }

  async function ask({ origin }: ServerProcess, key: string): Promise<Response> {
    const response = await fetch(`${origin}/v1/query/websites`, { headers: { 'x-api-key': key } });
    await response.text();
    return response;
  }
  /** The statuses of `times` parallel requests, spread over so many gateways. */
  async function wave(times: number, key: string, over = GATEWAYS): Promise<number[]> {
    const asked = Array.from({ length: times }, (_, index) =>
      ask(gateways[index % over] as ServerProcess, key),
    );
    return (await Promise.all(asked)).map(({ status }) => status);
  }
  const count = (statuses: number[], status: number) => statuses.filter((each) => each === status).length;

  it('admit exactly 50 of 1,000 parallel requests at limit 50', async () => {
    const statuses = await wave(1_000, LIMITED_KEY);
    expect([count(statuses, 200), count(statuses, 429)]).to.deep.equal([LIMIT, 950]);
  });

  it('admit exactly 50 of 1,000 parallel requests at limit 50 that one of them gets', async () => {
    const statuses = await wave(1_000, SINGLE_KEY, 1);
    expect([count(statuses, 200), count(statuses, 429)]).to.deep.equal([LIMIT, 950]);
  });

  it('admit exactly the quota of a month of 300 parallel requests, and no more after one of them was killed', async () => {
    const first = await wave(40, QUOTA_KEY);
    expect(count(first, 200)).to.equal(40);
    const [last] = gateways.slice(-1) as [ServerProcess];
    await last.end('SIGKILL');
    const next = await startProcess('main-gateway', environment);
    gateways[GATEWAYS - 1] = next;
    await untilShared(next);
    const statuses = await wave(300, QUOTA_KEY);
    expect([count(statuses, 200), count(statuses, 429)]).to.deep.equal([QUOTA - 40, 300 - (QUOTA - 40)]);
    const refused = await ask(next, QUOTA_KEY);
    expect([refused.status, refused.headers.get('x-ratelimit-limit')]).to.deep.equal([429, `${QUOTA}`]);
  });

  it('admit at most a limit each when it is killed, and answer every request', async () => {
    expect(count(await wave(20, OTHER_KEY), 200)).to.equal(20);
    await redis.kill();
    const statuses = await wave(600, OTHER_KEY);
    expect(count(statuses, 200) + count(statuses, 429)).to.equal(600);
    expect(count(statuses, 200) + 20).to.be.within(LIMIT, GATEWAYS * LIMIT);
    expect(count(await wave(100, OTHER_KEY), 429)).to.equal(100);
    await redis.start();
  });

  it('bind a lowered plan at the restart of one and at the reload of the others, which keep the counts', async () => {
    const [last] = gateways.slice(-1) as [ServerProcess];
    for (let asked = 0; asked < 30; asked++) expect((await ask(last, FREE_KEY)).status).to.equal(200);
    expect(await last.end('SIGTERM')).to.equal(0);
    const plans = join(folder, 'config/plans.yml');
    const text = readFileSync(plans, 'utf8');
    expect(text).to.contain('perMinute: 300\n');
    writeFileSync(plans, text.replace('perMinute: 300\n', 'perMinute: 20\n'));
    const lowered = await startProcess('main-gateway', environment);
    gateways[GATEWAYS - 1] = lowered;
    const refused = await ask(lowered, FREE_KEY);
    expect([refused.status, refused.headers.get('x-ratelimit-limit')]).to.deep.equal([429, '20']);
    const running = gateways[0] as ServerProcess;
    await until(
      'the reload',
      async () => (await ask(running, FREE_KEY)).headers.get('x-ratelimit-limit') === '20',
    );
    expect((await ask(running, FREE_KEY)).status).to.equal(429);
  });
});
