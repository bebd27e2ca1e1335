/** The views of operators through the whole server: who may look, what each shows, and that it shows of tenants ids and counts alone. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { listRoutes } from '../../gateway/configuration/explain.ts';
import { loadConfiguration } from '../../gateway/configuration/load-configuration.ts';
import {
  configurationVariables,
  UNSTARTED_SERVICE_URLS,
} from '../../gateway/process/reload/configuration-variables.ts';
import { expectError, expectSuccess } from '../support/answers.ts';
import { isDistributedRun } from '../support/distributed/test-mode.ts';
import { eventually } from '../support/eventually.ts';
import { withStored } from '../support/open-stored.ts';
import { configurationWithOverrides, type OwnSession, ownerSession } from '../support/owner-session.ts';
import { sessionRouteCases } from '../support/route-cases.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';
import type { TempDirectory } from '../support/temp-directory.ts';

const PATHS = [
  '/v1/platform/configuration',
  '/v1/platform/explain',
  '/v1/platform/history',
  '/v1/platform/changes',
  '/v1/platform/upstreams',
  '/v1/platform/organizations',
  '/v1/platform/traffic',
  '/v1/platform/limits',
];
const PER_MINUTE = 30;
const named = (name: string) => (row: Record<string, never>) => row[name] as never;

describe('the contract of the views of operators', () => {
  let started: TestServer;
  before(async () => {
    started = await startTidegate();
  });
  after(() => started.close());

  for (const path of PATHS) {
    describe(`GET ${path}`, () =>
      sessionRouteCases(() => started, { method: 'GET', path, wrongMethods: ['POST', 'PUT', 'DELETE'] }));
  }

  it('are shown to nobody who is no operator any more, none of them', async () => {
    const session = await ownerSession(started);
    expectSuccess(await started.call('GET', '/v1/platform/traffic', session));
    const revoked = await withStored(started.dataDir, async (documents) => {
      const [user] = await documents.usersOf('owner@example.com');
      if (user === undefined) throw new Error('no operator');
      return documents.users.update(user.id, user.id, user.version, { isOperator: false });
    });
    expect(revoked?.isOperator).to.equal(false);
    await sleep(5_000);
    for (const path of PATHS) {
      const answer = await started.call('GET', path, session);
      expectError(answer, 403, 'ACCESS_DENIED');
      expect(answer.body.error).to.include('people who run the service');
    }
  }).timeout(15_000);
});

describe('the views of operators', () => {
  let folder: TempDirectory;
  let server: TestServer;
  let session: OwnSession;

  before(async () => {
    folder = configurationWithOverrides(`{ organization: org_main, limit: perMinute, max: ${PER_MINUTE} }`);
    server = await startTidegate({ configDir: folder.path });
    session = await ownerSession(server);
  });
  after(async () => {
    await server.close();
    folder.remove();
  });

  const look = async (view: string) => {
    const answer = await server.call('GET', `/v1/platform/${view}`, session);
    expectSuccess(answer);
    return answer.body.data;
  };

  it('show the configuration in force, and that every gateway has the same', async () => {
    const shown = await look('configuration');
    expect(shown.hash).to.match(/^[0-9a-f]{12}$/);
    expect(shown).to.include({ pinned: null, differ: false });
    expect(shown.gateways.map((gateway: { configuration: object }) => gateway.configuration)).to.have.length(
      1,
    );
    expect(shown.gateways[0].pid).to.be.above(0);
    expect(shown.gateways[0].configuration.hash).to.equal(shown.hash);
    expect(shown.plans.free).to.include({ perMinute: 300 });
  });

  it('say of every route what `tidegate routes` says, with its limits and its place', async () => {
    const { routes } = await look('configuration');
    const variables = configurationVariables(UNSTARTED_SERVICE_URLS);
    const configuration = await loadConfiguration(folder.path, variables);
    const bare = routes.map(({ limits: _, ...row }: { limits: unknown }) => row);
    expect(bare).to.deep.equal(listRoutes(configuration));
    const { line, ...own } = routes.find(({ path }: { path: string }) => path === '/v1/platform/traffic');
    expect(own).to.deep.equal({
      method: 'GET',
      path: '/v1/platform/traffic',
      endpoint: 'platform',
      rule: 'session of an operator',
      pipeline: 'platform',
      policies: ['auth', 'scopes', 'rate-limit', 'platform'],
      service: null,
      limits: ['usage'],
      file: 'gateway.config.yml',
    });
    const text = readFileSync(folder.file('gateway.config.yml'), 'utf8');
    expect(text.split('\n')[line - 1]).to.equal('  platform:');
  });

  it('say what a configuration changed, of the first one nothing', async () => {
    expect(await look('changes?number=1')).to.deep.equal({
      number: 1,
      before: null,
      changes: [],
      moreChanges: 0,
    });
    const asked = (query: string) => server.call('GET', `/v1/platform/changes${query}`, session);
    expectError(await asked('?number=99'), 404, 'NOT_FOUND');
    for (const query of ['', '?number=0', '?number=x', '?number=1&number=1', '?number=1&x=1'])
      expectError(await asked(query), 400, 'VALIDATION_ERROR');
  });

  it('show the history, without what the files say', async () => {
    const { configurations, pinned } = await look('history');
    expect(pinned).to.equal(null);
    expect(configurations[0]).to.include({ number: 1, outcome: 'applied', source: 'files', reason: 'start' });
    expect(JSON.stringify(configurations)).to.not.include('apiEndpoints');
  });

  it('show backends with their addresses', async () => {
    await server.call('GET', '/v1/query/websites', { key: server.keys.all });
    const { upstreams, counterStores, documentStore, checks } = await look('upstreams');
    expect(documentStore).to.equal('answers');
    const ready = { documents: 'ok', counters: 'ok', tracking: 'ok', query: 'ok', resources: 'ok' };
    expect(checks).to.deep.equal(ready);
    expect(upstreams.map(({ service }: { service: string }) => service)).to.have.members([
      'tracking',
      'query',
      'resources',
    ]);
    const query = upstreams.find(({ service }: { service: string }) => service === 'query');
    const [address] = query.addresses;
    expect(address).to.include({ isChecked: false, hasBreaker: false, outAt: 0, failures: 0, gateways: 1 });
    expect(address.requests).to.be.above(0);
    expect(counterStores.map(({ state }: { state: string }) => state)).to.deep.equal([
      isDistributedRun() ? 'answers' : 'own',
    ]);
  });

  it('show what passed over time: the same minutes in lines, by status and by endpoint', async () => {
    const history = async (range: string) => (await look(`traffic?range=${range}`)).history;
    await server.call('GET', '/v1/query/websites', { key: server.keys.all });
    // Written every ten seconds; each look counts in the limit `usage`.
    await eventually(async () => {
      await sleep(1_000);
      return (await history('hour')).endpoints.map(named('endpoint'));
    }).satisfies((names) => expect(names).to.include('query-websites'));
    const { granularity, start, end, requests, p99Ms, statuses, endpoints } = await history('hour');
    const slots = (Date.parse(end) - Date.parse(start)) / 60_000;
    expect([granularity, slots]).to.deep.equal(['minute', requests.length]);
    expect(slots).to.be.within(60, 70);
    const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);
    const all = sum(requests);
    expect(all).to.be.above(0);
    expect(sum(statuses.map(named('requests')))).to.equal(all);
    expect(sum(endpoints.map(named('requests')))).to.equal(all);
    expect(p99Ms.filter((took: number | null) => took !== null)).to.not.deep.equal([]);
    expect((await look('traffic')).history).to.equal(null);
    expect((await history('day')).requests).to.have.length(24);
    const answer = await server.call('GET', '/v1/platform/traffic?range=week', session);
    expectError(answer, 400, 'VALIDATION_ERROR');
  }).timeout(60_000);

  it('show of organizations their plan and counts, page by page, and nothing else', async () => {
    const first = await look('organizations?limit=1');
    const second = await look(`organizations?after=${first.next}`);
    expect(first.organizations).to.have.length(1);
    expect(second.next).to.equal(null);
    for (const organization of [...first.organizations, ...second.organizations]) {
      expect(Object.keys(organization)).to.have.members([
        'id',
        'plan',
        'createdAt',
        'websites',
        'usage',
        'lastDay',
        'near',
      ]);
    }
    const main = [...first.organizations, ...second.organizations].find(({ id }) => id === 'org_main');
    expect(main.websites).to.equal(2);
    for (const query of ['limit=0', 'sort=name']) {
      const answer = await server.call('GET', `/v1/platform/organizations?${query}`, session);
      expectError(answer, 400, 'VALIDATION_ERROR');
    }
    expect((await look('organizations?sort=requests')).next).to.equal(null);
  });

  it('show who is throttled and who is near a limit, with what refused', async () => {
    for (let count = 0; count < PER_MINUTE - 2; count++)
      await server.call('GET', '/v1/query/websites', { key: server.keys.all });
    const near = await look('limits');
    const { limit, organization, key, remaining } = near.nearLimits[0];
    expect({ limit, organization }).to.deep.equal({ limit: PER_MINUTE, organization: 'org_main' });
    expect(key).to.match(/^key_/);
    expect(remaining).to.be.below(PER_MINUTE / 5);
    for (let count = 0; count < 7; count++)
      await server.call('GET', '/v1/query/websites', { key: server.keys.all });
    await sleep(1_100);
    const { throttled, limits } = await look('limits');
    expect(throttled[0]).to.include({
      organization: 'org_main',
      endpoint: 'query-websites',
      limit: 'plan',
      window: '60 s',
    });
    expect(throttled[0].refusals).to.be.within(1, 7);
    expect(limits[0].name).to.equal('plan');
    const traffic = await look('traffic');
    expect(traffic.refused).to.deep.include({
      code: 'RATE_LIMIT_EXCEEDED',
      endpoint: 'query-websites',
      requests: throttled[0].refusals,
    });
    expect(traffic.gateways).to.have.length(1);
    // Answered while the plan is used up.
    expectError(await server.call('GET', '/v1/query/websites', session), 429, 'RATE_LIMIT_EXCEEDED');
  });
});
