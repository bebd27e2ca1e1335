/** A refresh token serves once over many gateway processes: on files and on MongoDB, with Redis, without it, and while it goes and comes back empty. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadSecrets } from '../../gateway/process/secrets/secrets.ts';
import { freePort } from '../support/free-port.ts';
import { type ServerProcess, startProcess } from '../support/gateway-process.ts';
import { requireMongodb, startMongodb, type TestMongodb } from '../support/mongodb/mongodb-server.ts';
import { requireRedis, startRedis, type TestRedis } from '../support/redis-server.ts';

const GATEWAYS = 3;
/** Calls with one token, spread over the gateways; within what a session may refresh in a minute. */
const CALLS = 24;
const ROUNDS = 4;

const PROVISIONING = `
organizations:
  - id: org_r
    name: R
    plan: free
    users: [{ email: owner@example.com, password: correct horse, role: owner }]
`;

describe('a refresh token over several gateway processes', function () {
  this.timeout(400_000);
  let folder: string;
  let redis: TestRedis | null;
  let mongodb: TestMongodb | null;
  const gateways: ServerProcess[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tidegate-refresh-'));
    writeFileSync(join(folder, 'provision.yml'), PROVISIONING);
    redis = null;
    mongodb = null;
  });
  afterEach(async () => {
    await Promise.all(gateways.splice(0).map((each) => each.end('SIGKILL')));
    await redis?.kill();
    await mongodb?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Settings of documents that lie in a database. */
  async function onMongodb(): Promise<Readonly<Record<string, string>>> {
    mongodb = await startMongodb();
    const secrets = join(folder, 'secrets.json');
    await loadSecrets(secrets);
    return { MONGODB_URI: mongodb.newUri(), SECRETS_FILE: secrets };
  }

  async function start(further: Readonly<Record<string, string>>): Promise<void> {
    const [query, tracking, resources] = await Promise.all([freePort(), freePort(), freePort()]);
    const environment = {
      DATA_DIR: join(folder, 'data'),
      QUERY_URL: `http://127.0.0.1:${query}`,
      TRACKING_URL: `http://127.0.0.1:${tracking}`,
      RESOURCES_URL: `http://127.0.0.1:${resources}`,
      ...further,
    };
    const provisioned = { ...environment, PROVISION_FILE: join(folder, 'provision.yml') };
    gateways.push(await startProcess('main', provisioned));
    while (gateways.length < GATEWAYS) gateways.push(await startProcess('main-gateway', environment));
  }

  interface Answer {
    readonly status: number;
    readonly code: string | undefined;
    /** What a browser sends from then on; empty when nothing was set. */
    readonly cookie: string;
  }

  async function post(index: number, path: string, cookie: string, body?: unknown): Promise<Answer> {
    const gateway = gateways[index % GATEWAYS] as ServerProcess;
    const headers = { origin: 'http://localhost:5173', 'content-type': 'application/json', cookie };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${gateway.origin}${path}`, { method: 'POST', headers, ...sent });
    const { code } = (await response.json()) as { readonly code?: string };
    const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]);
    return { status: response.status, code, cookie: cookies.join('; ') };
  }
  const refresh = (index: number, cookie: string) => post(index, '/v1/auth/refresh', cookie);

  async function login(index: number): Promise<string> {
    const owner = { email: 'owner@example.com', password: 'correct horse' };
    const { status, cookie } = await post(index, '/v1/auth/login', '', owner);
    expect(status).to.equal(200);
    return cookie;
  }

  /** Spends a token with all gateways at a time: exactly one wins, and its session goes on. Returns the spent token. */
  async function spend(during: () => Promise<unknown> = async () => {}): Promise<string> {
    const cookie = await login(0);
    const calls = Array.from({ length: CALLS }, (_, index) => refresh(index, cookie));
    const [answers] = await Promise.all([Promise.all(calls), during()]);
    const won = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status, code }) => status === 401 && code === 'AUTH_REQUIRED');
    expect([won.length, refused.length]).to.deep.equal([1, CALLS - 1]);
    for (const each of refused) expect(each.cookie, 'the cookies of the winner stay').to.equal('');
    for (let index = 0; index < GATEWAYS; index++)
      expect((await refresh(index, cookie)).status).to.equal(401);
    expect((await refresh(1, won[0]?.cookie ?? '')).status).to.equal(200);
    return cookie;
  }

  it('has one winner without Redis', async () => {
    await start({});
    for (let round = 0; round < ROUNDS; round++) await spend();
  });

  it('has one winner on MongoDB without Redis', async function () {
    requireMongodb(this);
    await start(await onMongodb());
    for (let round = 0; round < ROUNDS; round++) await spend();
  });

  it('has one winner with Redis, while it is killed, without it, and after it came back empty', async function () {
    requireRedis(this);
    await spendThroughOutage({});
  });

  it('has one winner on MongoDB with Redis, through the same', async function () {
    requireRedis(this);
    requireMongodb(this);
    await spendThroughOutage(await onMongodb());
  });

  async function spendThroughOutage(settings: Readonly<Record<string, string>>): Promise<void> {
    const server = await startRedis();
    redis = server;
    await start({ ...settings, REDIS_URL: server.url });
    const spent: string[] = [];
    for (let round = 0; round < ROUNDS; round++) spent.push(await spend());
    spent.push(await spend(() => server.kill()));
    for (let round = 0; round < ROUNDS; round++) spent.push(await spend());
    await server.start();
    for (const cookie of spent) {
      for (let index = 0; index < GATEWAYS; index++)
        expect((await refresh(index, cookie)).status).to.equal(401);
    }
    spent.push(await spend());
  }
});
