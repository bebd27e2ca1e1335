/** Every part a process of its own, over MongoDB and Redis: what a user of the API and an operator rely on. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadSecrets } from '../../../gateway/process/secrets/secrets.ts';
import { openConnection } from '../../../services/shared/storage/mongodb/open-connection.ts';
import { expectError } from '../../support/answers.ts';
import { bindsInTime } from '../../support/binds-in-time.ts';
import type { DistributedSystem } from '../../support/distributed/start-distributed.ts';
import { startDistributed } from '../../support/distributed/start-distributed.ts';
import { FailedStart, type ServerProcess, startProcess } from '../../support/gateway-process.ts';
import { requireMongodb, startMongodb } from '../../support/mongodb/mongodb-server.ts';
import { requireRedis } from '../../support/redis-server.ts';
import { runCliProcess } from '../../support/run-cli.ts';
import { callerOf, type TestServer } from '../../support/start-tidegate.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { KEYS, PROVISIONING } from '../../support/test-organizations.ts';
import { until } from '../../support/until.ts';

/** Within what who asks every 2 s, and waits 1 s for the answer, learns that a process ends, in milliseconds. */
const LEARNED_MS = 3_000;
const PAGE = { name: 'screen_view', websiteId: 'web_shop', anonymousId: 'v1', sessionId: 's1', path: '/a' };

describe('Tidegate as separate processes', () => {
  let system: DistributedSystem;
  let call: TestServer['call'];

  before(async function () {
    requireRedis(this);
    requireMongodb(this);
    system = await startDistributed({ provisioning: PROVISIONING, areReplaced: true });
    call = callerOf(system.origin);
  });
  after(() => system?.close());

  const queried = () =>
    call('POST', '/v1/query?website_id=web_shop', {
      key: KEYS.all,
      body: { parameters: ['summary_metrics'], preset: 'last_7d' },
    });
  const tracked = () => call('POST', '/track', { key: KEYS.all, body: PAGE });
  const pageviews = async () => {
    const answer = await queried();
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body.data[0].data[0].pageviews;
  };

  it('tracks through one service and answers queries through another', async () => {
    const before = await pageviews();
    expect((await tracked()).status).to.equal(200);
    expect(await pageviews()).to.equal(before + 1);
  });

  it('answers custom SQL over the rows of the database', async () => {
    const { status, body } = await call('POST', '/v1/query/custom?website_id=web_shop', {
      key: KEYS.all,
      body: { sql: 'SELECT count(*) AS n FROM events WHERE path = $path', params: { path: '/a' } },
    });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.data).to.deep.equal([{ n: await pageviews() }]);
  });

  it('counts the redirect of a link, which another process made', async () => {
    const made = await call('POST', '/v1/links', {
      key: KEYS.all,
      body: { name: 'Sale', targetUrl: 'https://shop.example.com/sale', slug: 'to-the-sale' },
    });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    const redirect = await call('GET', '/to-the-sale');
    expect([redirect.status, redirect.headers.get('location')]).to.deep.equal([
      302,
      'https://shop.example.com/sale',
    ]);
    const clicks = async () => {
      const { body } = await call('POST', `/v1/query?link_id=${made.body.data.id}`, {
        key: KEYS.all,
        body: { parameters: ['link_total_clicks'], preset: 'last_7d' },
      });
      return body.data?.[0]?.data?.[0]?.total ?? 0;
    };
    await until('the click is counted', async () => (await clicks()) === 1);
  });

  it('opens columns where queries are answered, and nowhere else', async () => {
    await pageviews();
    // Every process that opens some takes a folder of its own.
    for (const of of ['queries', 'builds']) {
      const taken = readdirSync(join(system.folder, 'columns', of)).filter((name) => /^\d+$/.test(name));
      expect(taken, of).to.deep.equal(['0']);
    }
  });

  it('shows at the query service what is built, and at no other', async () => {
    const ready = async (name: 'query' | 'tracking') =>
      (await (await fetch(`${system.services[name].origin}/health/ready`)).json()) as Record<string, unknown>;
    const { status, builds } = await ready('query');
    expect(status).to.equal('ok');
    expect(builds).to.have.all.keys('running', 'waiting', 'share');
    expect(await ready('tracking')).to.deep.equal({ status: 'ok' });
  });

  it('is ready while every service can ask its stores', async () => {
    const { status, body } = await call('GET', '/health/ready');
    expect(status).to.equal(200);
    expect(body.checks).to.deep.equal({
      counters: 'ok',
      documents: 'ok',
      query: 'ok',
      tracking: 'ok',
      resources: 'ok',
    });
    for (const { origin } of Object.values(system.services)) {
      for (const path of ['/health', '/health/ready']) {
        expect((await fetch(`${origin}${path}`)).status, path).to.equal(200);
      }
      const withoutIdentity = await fetch(`${origin}/v1/query/types`);
      expect(withoutIdentity.status).to.equal(401);
    }
  });

  describe('with a further gateway', () => {
    let further: ServerProcess;
    let ask: TestServer['call'];

    before(async () => {
      further = await system.startGateway();
      ask = callerOf(further.origin);
    });

    const cookieOf = (headers: Headers) =>
      headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ');

    it('refuses a key on both within 5 s of its revocation through one', async () => {
      const page = { origin: 'http://localhost:5173' };
      const { headers } = await call('POST', '/v1/auth/login', {
        headers: page,
        body: { email: 'owner@example.com', password: 'correct horse' },
      });
      const owner = { ...page, cookie: cookieOf(headers) };
      const read = (asker: TestServer['call']) => asker('GET', '/v1/query/websites', { key: KEYS.readOnly });
      for (const asker of [call, ask]) expect((await read(asker)).status).to.equal(200);
      const revoked = await call('POST', '/v1/api-keys/key_read/revoke', { headers: owner });
      expect(revoked.status, JSON.stringify(revoked.body)).to.equal(200);
      const since = performance.now();
      expect((await read(call)).status).to.equal(401);
      await bindsInTime(since, async () => (await read(ask)).status);
    });

    it('counts limits together', async () => {
      const remaining = async (asker: TestServer['call']) => {
        const { headers } = await asker('GET', '/v1/query/websites', { key: KEYS.freeReadOnly });
        return Number(headers.get('x-ratelimit-remaining'));
      };
      const first = await remaining(call);
      expect(await remaining(ask)).to.equal(first - 1);
      expect(await remaining(call)).to.equal(first - 2);
    });

    it('finishes what is in flight when it gets SIGTERM, tells balancers and answers on, and ends with 0', async () => {
      const answers = Array.from({ length: 20 }, () => ask('GET', '/v1/query/websites', { key: KEYS.all }));
      await answers[0];
      const since = performance.now();
      const code = further.end('SIGTERM');
      for (const { status } of await Promise.all(answers)) expect(status).to.equal(200);
      const ready = () => ask('GET', '/health/ready');
      await until('the gateway is not ready', async () => (await ready()).status === 503);
      expectError(await ready(), 503, 'UPSTREAM_UNAVAILABLE');
      const during = await ask('GET', '/v1/query/websites', { key: KEYS.all });
      expect([during.status, during.headers.get('connection')]).to.deep.equal([200, 'close']);
      expect(await code).to.equal(0);
      expect(performance.now() - since).to.be.above(LEARNED_MS);
    });
  });

  it('lets the command line make a key, bring events in, and revoke: all of it binds on the gateways', async () => {
    const cli = async (...args: string[]) => {
      const { code, out, error } = await runCliProcess([...args, '--json'], system.environment);
      expect(code, error).to.equal(0);
      return JSON.parse(out).data;
    };
    const scopes = 'read:data,track:events';
    const owner = ['--organization', 'org_main', '--name', 'cli'];
    const created = await cli('keys', 'create', ...owner, '--scopes', scopes, '--access', 'global');
    const read = async () => (await call('GET', '/v1/query/websites', { key: created.secret })).status;
    expect(created.secret).to.be.a('string');
    await until('the key is known', async () => (await read()) === 200);
    const file = join(system.folder, 'events.ndjson');
    writeFileSync(file, `${JSON.stringify({ ...PAGE, timestamp: Date.now() })}\n`.repeat(10));
    const before = await pageviews();
    await cli('import', file, '--website', 'web_shop');
    expect(await pageviews()).to.equal(before + 10);
    await cli('keys', 'revoke', created.id);
    await bindsInTime(performance.now(), read);
  });

  it('answers a declared error while a service is killed, and recovers with it', async () => {
    const { query } = system.services;
    await query.end('SIGKILL');
    const lost = await queried();
    expect([502, 503]).to.include(lost.status);
    expect(lost.body).to.include({ success: false }).and.have.property('code');
    const ready = async () => (await call('GET', '/health/ready')).status;
    await until('the gateway is not ready', async () => (await ready()) === 503);
    await system.startService('query', new URL(query.origin).port);
    await until('queries are answered', async () => (await queried()).status === 200);
  });

  it('loses no event and no request of a service that ends in order', async () => {
    const { tracking } = system.services;
    const before = await pageviews();
    let stored = 0;
    let isEnding = true;
    const track = async (): Promise<void> => {
      while (isEnding) {
        const { status, body } = await tracked();
        if (status === 200) stored++;
        // The only process of its kind: once it accepts nothing more, nobody can answer.
        else expect([502, 503], JSON.stringify(body)).to.include(status);
      }
    };
    const trackers = Array.from({ length: 4 }, track);
    const since = performance.now();
    const ended = tracking.end('SIGTERM');
    const asked = () => fetch(`${tracking.origin}/health/ready`);
    await until('the service is not ready', async () => (await asked()).status === 503);
    const during = await fetch(`${tracking.origin}/health`);
    expect([during.status, during.headers.get('connection')]).to.deep.equal([200, 'close']);
    expect(await ended).to.equal(0);
    expect(performance.now() - since).to.be.above(LEARNED_MS);
    isEnding = false;
    await Promise.all(trackers);
    expect(stored).to.be.above(0);
    expect(await pageviews()).to.equal(before + stored);
    await system.startService('tracking', new URL(tracking.origin).port);
    await until('events are taken', async () => (await tracked()).status === 200);
  });
});

describe('the start of separate processes', () => {
  const faultOf = async (entry: Parameters<typeof startProcess>[0], settings: Record<string, string>) => {
    const fault = await startProcess(entry, settings).catch((thrown: unknown) => thrown);
    expect(fault).to.be.instanceOf(FailedStart);
    return fault as FailedStart;
  };

  it('names all that is missing at once', async () => {
    const [query, tracking, resources, gateway] = await Promise.all([
      faultOf('main-query', {}),
      faultOf('main-tracking', {}),
      faultOf('main-resources', {}),
      faultOf('main-gateway', { MONGODB_URI: 'mongodb://127.0.0.1:1/x' }),
    ]);
    for (const { code, output } of [query, tracking, resources]) {
      expect(code).to.equal(1);
      expect(output).to.contain('MONGODB_URI is missing').and.contain('SECRETS_FILE is missing');
    }
    for (const name of ['SECRETS_FILE', 'QUERY_URL', 'TRACKING_URL', 'RESOURCES_URL']) {
      expect(gateway.output).to.contain(`${name} is missing`);
    }
  });

  it('refuses workers for the embedded server', async () => {
    const { output } = await faultOf('main', { GATEWAY_WORKERS: '2', REDIS_URL: 'redis://127.0.0.1:1' });
    expect(output).to.contain('GATEWAY_WORKERS="2": npm start runs one gateway');
  });

  it('announces the first start of a new database once, whichever of several processes makes it', async function () {
    requireMongodb(this);
    const mongodb = await startMongodb();
    const directory = createTempDirectory();
    const secrets = directory.file('secrets.json');
    await loadSecrets(secrets);
    const settings = { MONGODB_URI: mongodb.newUri(), SECRETS_FILE: secrets };
    const processes = await Promise.all(
      Array.from({ length: 3 }, () => startProcess('main-resources', settings)),
    );
    const codes = await Promise.all(processes.map((each) => each.end('SIGTERM')));
    const announced = processes.filter((each) => each.output().includes('This is the first start'));
    const connection = await openConnection(settings.MONGODB_URI, { appName: 'test' });
    const organizations = await connection.collection('organizations').countDocuments();
    const users = await connection.collection('users').countDocuments();
    await connection.close();
    await mongodb.close();
    directory.remove();
    expect(announced).to.have.length(1);
    expect([organizations, users]).to.deep.equal([1, 1]);
    expect(codes).to.deep.equal([0, 0, 0]);
  });
});
