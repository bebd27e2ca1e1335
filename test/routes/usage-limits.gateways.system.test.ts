/** The limits in force over four gateways that count in one Redis: each says what the callers of all of them saw. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { type ServerProcess, startProcess } from '../support/gateway-process.ts';
import { requireRedis, startRedis, type TestRedis } from '../support/redis-server.ts';
import { runCli } from '../support/run-cli.ts';
import { newKeyText } from '../support/start-tidegate.ts';

const GATEWAYS = 4;
const REQUESTS = 1_000;
const PER_MINUTE = 700;
const KEYS = Array.from({ length: 20 }, newKeyText);
const ORIGIN = 'http://localhost';

const PROVISIONING = `
organizations:
  - id: org_g
    name: G
    plan: free
    limits: { per10Seconds: 1000000, perMinute: ${PER_MINUTE} }
    websites: [{ id: web_g, name: G, domain: g.example.com }]
    users: [{ email: owner@example.com, password: correct horse, role: owner, operator: true }]
    apiKeys:
${KEYS.map((key, index) => `      - { id: key_${index}, name: k, key: ${key}, scopes: [read:data], access: { level: global } }`).join('\n')}
`;

interface Row {
  readonly name: string;
  readonly window: string;
  readonly used: number;
  readonly remaining: number;
  readonly reset: string;
  readonly key: string | null;
}

describe(`the limits in force over ${GATEWAYS} gateways and Redis`, function () {
  this.timeout(120_000);
  let folder: string;
  let redis: TestRedis;
  const processes: ServerProcess[] = [];

  before(async function () {
    requireRedis(this);
    folder = mkdtempSync(join(tmpdir(), 'tidegate-limits-'));
    writeFileSync(join(folder, 'provision.yml'), PROVISIONING);
    redis = await startRedis();
    const [query, tracking, resources] = await Promise.all([freePort(), freePort(), freePort()]);
    const environment = {
      DATA_DIR: join(folder, 'data'),
      REDIS_URL: redis.url,
      QUERY_URL: `http://127.0.0.1:${query}`,
      TRACKING_URL: `http://127.0.0.1:${tracking}`,
      RESOURCES_URL: `http://127.0.0.1:${resources}`,
    };
    const provisioned = { ...environment, PROVISION_FILE: join(folder, 'provision.yml') };
    processes.push(await startProcess('main', provisioned));
    for (let i = 1; i < GATEWAYS; i++) processes.push(await startProcess('main-gateway', environment));
  });
  after(async () => {
    await Promise.all(processes.map((each) => each.end('SIGKILL')));
    await redis?.kill();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const originOf = (number: number) => (processes[number % GATEWAYS] as ServerProcess).origin;

  async function cookieOf(): Promise<string> {
    const login = await fetch(`${originOf(0)}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: ORIGIN },
      body: JSON.stringify({ email: 'owner@example.com', password: 'correct horse' }),
    });
    expect(login.status, await login.text()).to.equal(200);
    return login.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
  }

  it(`say on each gateway what ${REQUESTS} requests of ${KEYS.length} callers through all of them saw`, async () => {
    const cookie = await cookieOf();
    const saw: { readonly status: number; readonly remaining: number; readonly reset: string }[] = [];
    await Promise.all(
      KEYS.map(async (key, caller) => {
        for (let sent = 0; sent < REQUESTS / KEYS.length; sent++) {
          const answer = await fetch(`${originOf(caller + sent)}/v1/query/websites`, {
            headers: { 'x-api-key': key },
          });
          await answer.body?.cancel();
          saw.push({
            status: answer.status,
            remaining: Number(answer.headers.get('x-ratelimit-remaining')),
            reset: answer.headers.get('x-ratelimit-reset') ?? '',
          });
        }
      }),
    );
    const admitted = saw.filter(({ status }) => status === 200);
    expect(admitted).to.have.length(PER_MINUTE);
    expect(saw.filter(({ status }) => status === 429)).to.have.length(REQUESTS - PER_MINUTE);
    // Exact: each admitted request saw another number.
    const left = admitted.map(({ remaining }) => remaining).sort((a, b) => a - b);
    expect(left).to.deep.equal(Array.from({ length: PER_MINUTE }, (_, i) => i));
    for (let gateway = 0; gateway < GATEWAYS; gateway++) {
      const answer = await fetch(`${originOf(gateway)}/v1/usage/limits`, {
        headers: { cookie, origin: ORIGIN },
      });
      expect(answer.status, `${gateway}: ${answer.status === 200 ? '' : await answer.text()}`).to.equal(200);
      const { data } = (await answer.json()) as { data: readonly Row[] };
      const row = data.find(({ name, window, key }) => name === 'plan' && window === '60 s' && key === null);
      expect(row, originOf(gateway)).to.include({ used: PER_MINUTE, remaining: 0 });
      const resets = new Set(admitted.map(({ reset }) => reset));
      expect([...resets]).to.include(`${Math.ceil(Date.parse(row?.reset ?? '') / 1_000)}`);
    }
  });

  it('are seen with all gateways by an operator who asks any of them, within ten seconds', async () => {
    const cookie = await cookieOf();
    const look = async (gateway: number, view: string) => {
      // Looking is limited to 60 a minute.
      await sleep(500);
      const answer = await fetch(`${originOf(gateway)}/v1/platform/${view}`, {
        headers: { cookie, origin: ORIGIN },
      });
      const body = (await answer.json()) as { data: never };
      expect(answer.status, JSON.stringify(body)).to.equal(200);
      return body.data;
    };
    const pids = async (gateway: number) => {
      const { gateways, differ } = await look(gateway, 'configuration');
      expect(differ).to.equal(false);
      return (gateways as { readonly pid: number }[]).map(({ pid }) => pid).sort();
    };
    const first = await eventually(() => pids(0)).satisfies((found) =>
      expect(new Set(found).size).to.equal(GATEWAYS),
    );
    for (let gateway = 1; gateway < GATEWAYS; gateway++) expect(await pids(gateway)).to.deep.equal(first);
    const refusals = await eventually(async () => {
      const { throttled } = await look(1, 'limits');
      return (throttled as { readonly refusals: number }[]).reduce((sum, row) => sum + row.refusals, 0);
    }).satisfies((sum) => expect(sum).to.equal(REQUESTS - PER_MINUTE));
    expect(refusals).to.equal(REQUESTS - PER_MINUTE);
    const stores = (await look(2, 'upstreams')) as {
      readonly counterStores: readonly { readonly state: string }[];
    };
    expect(stores.counterStores.map(({ state }) => state)).to.deep.equal(Array(GATEWAYS).fill('answers'));
  });

  it('leave their counts by key in the store, whichever gateway answered', async () => {
    const cookie = await cookieOf();
    const counted = async () => {
      const answer = await fetch(
        `${originOf(3)}/v1/usage/requests?groupBy=outcome,limit&endpoint=query-websites`,
        {
          headers: { cookie, origin: ORIGIN },
        },
      );
      const { data } = (await answer.json()) as {
        data: { rows: { outcome: string; limit: string | null; requests: number }[] };
      };
      return data.rows.map(({ outcome, limit, requests }) => [outcome, limit, requests]);
    };
    expect(await counted()).to.deep.equal([
      ['ok', null, PER_MINUTE],
      ['limited', 'plan', REQUESTS - PER_MINUTE],
    ]);
  });

  it('are told by `tidegate` of every gateway of DATA_DIR, and of gateways that run alone once the server is gone', async () => {
    const DATA_DIR = join(folder, 'data');
    const told = async (...args: string[]) => {
      const { code, out, error } = await runCli([...args, '--json'], { DATA_DIR });
      expect([code, error]).to.deep.equal([0, '']);
      return JSON.parse(out).data;
    };
    for (let gateway = 0; gateway < GATEWAYS; gateway++) {
      const refused = await fetch(`${originOf(gateway)}/v1/query/websites`, {
        headers: { 'x-api-key': KEYS[0] ?? '' },
      });
      expect(refused.status).to.equal(429);
      const [entry, ...others] = await told('why', refused.headers.get('x-request-id') ?? '');
      expect(others).to.deep.equal([]);
      expect(entry).to.deep.include({ code: 'RATE_LIMIT_EXCEEDED', organization: 'org_g', key: 'key_0' });
      expect(entry.limit).to.include({ name: 'plan', limit: PER_MINUTE });
    }
    await processes.shift()?.end('SIGTERM');
    const { limits } = await told('limits', 'org_g');
    const plan = limits.find(({ name, window }: Row) => name === 'plan' && window === '60 s');
    expect(plan).to.include({ remaining: 0, limit: PER_MINUTE });
    expect(await told('top', '--once', '--every', '1')).to.have.property('requests');
    await Promise.all(processes.splice(0).map((each) => each.end('SIGKILL')));
    const none = await runCli(['limits', 'org_g'], { DATA_DIR });
    expect([none.code, none.error]).to.deep.equal([
      1,
      'neither a server nor a gateway runs in DATA_DIR; of gateways elsewhere, ask there, or GET /v1/usage/limits with a session\n',
    ]);
  });
});
