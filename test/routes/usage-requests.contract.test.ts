/** GET /v1/usage/requests through the whole server: who may ask, and that it says what the callers saw. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { eventually } from '../support/eventually.ts';
import { configurationWithOverrides, type OwnSession, ownerSession } from '../support/owner-session.ts';
import { type RouteCase, sessionRouteCases } from '../support/route-cases.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';
import type { TempDirectory } from '../support/temp-directory.ts';

const PATH = '/v1/usage/requests';
const PLANS = '/v1/usage/plans';
const ROUTE: RouteCase = { method: 'GET', path: PATH, wrongMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] };
const CALLERS = 20;
const REQUESTS = 1_000;
/** What the organization may ask a minute: some of the requests are refused. */
const PER_MINUTE = 700;
/** How late a request may show, in milliseconds. */
const LATEST_MS = 10_000;

describe('the contract of the requests of an organization', () => {
  let started: TestServer;
  before(async () => {
    started = await startTidegate();
  });
  after(() => started.close());

  for (const path of [PATH, PLANS])
    describe(`GET ${path}`, () => sessionRouteCases(() => started, { ...ROUTE, path }));
});

describe('the requests of an organization', function () {
  this.timeout(60_000);
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

  const ask = async (query: string) => {
    const answer = await server.call('GET', `${PATH}?${query}`, session);
    expectSuccess(answer);
    return answer.body.data;
  };

  it('says of each fault in the query what is allowed', async () => {
    const faults = {
      'granularity=day': 'granularity',
      'start=yesterday': 'start',
      'granularity=minute&start=2020-01-01T00:00:00Z': 'start',
      'start=2030-01-01T00:00:00Z': 'end',
      'step=day': 'step',
      'step=minute&from=2020-01-01T00:00:00Z': 'from',
      'from=2030-01-01T00:00:00Z': 'to',
      'groupBy=key,colour': 'groupBy',
      'outcome=fine': 'outcome',
      'colour=red': 'colour',
    };
    for (const [query, field] of Object.entries(faults)) {
      const answer = await server.call('GET', `${PATH}?${query}`, session);
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(JSON.stringify(answer.body.details), query).to.include(field);
    }
  });

  it(`says what ${REQUESTS} requests of ${CALLERS} callers saw, by key and by the limit that refused, within ${LATEST_MS / 1_000} s`, async () => {
    const ids: string[] = [];
    const keys: string[] = [];
    for (let count = 0; count < CALLERS; count++) {
      const body = { name: `caller ${count}`, scopes: ['read:data'], access: { level: 'global' } };
      const { body: created } = await server.call('POST', '/v1/api-keys', { ...session, body });
      ids.push(created.data.id);
      keys.push(created.data.secret);
    }
    const saw = new Map<string, number>();
    const see = (id: string, status: number) =>
      saw.set(`${id} ${status}`, (saw.get(`${id} ${status}`) ?? 0) + 1);
    await Promise.all(
      keys.map(async (key, index) => {
        const id = ids[index] ?? '';
        for (let count = 0; count < REQUESTS / CALLERS; count++) {
          const path = index === 0 && count % 10 === 9 ? '/v1/flags' : '/v1/query/websites';
          see(id, (await server.call('GET', path, { key })).status);
        }
      }),
    );
    const endedAtMs = Date.now();
    const wanted: Record<string, number> = Object.fromEntries(
      ids
        .flatMap((id) => [
          [`${id} ok`, saw.get(`${id} 200`) ?? 0],
          [`${id} limited`, saw.get(`${id} 429`) ?? 0],
          [`${id} client_error`, saw.get(`${id} 403`) ?? 0],
        ])
        .filter(([, count]) => (count as number) > 0),
    );
    expect(Object.values(wanted).reduce((sum, count) => sum + count, 0)).to.equal(REQUESTS);
    type Row = {
      key: string | null;
      outcome: string;
      limit: string;
      window: string;
      requests: number;
      counts: number[];
    };
    const found = await eventually(async () => {
      // Asking is limited to 60 a minute.
      await sleep(1_000);
      const { rows } = await ask('groupBy=key,outcome&granularity=minute');
      return Object.fromEntries(
        rows.flatMap(({ key, outcome, requests }: Row) =>
          ids.includes(key ?? '') ? [[`${key} ${outcome}`, requests]] : [],
        ),
      );
    }).satisfies((value) => expect(value).to.deep.equal(wanted));
    expect(found).to.deep.equal(wanted);
    expect(Date.now() - endedAtMs).to.be.below(LATEST_MS);

    const limited = Object.entries<number>(wanted).filter(([name]) => name.endsWith('limited'));
    const refused = limited.reduce((sum, [, count]) => sum + count, 0);
    expect(refused).to.be.above(0);
    const { rows } = await ask('groupBy=limit,endpoint&outcome=limited');
    expect(rows.reduce((sum: number, { requests }: Row) => sum + requests, 0)).to.equal(refused);
    for (const row of rows) expect(row).to.include({ limit: 'plan' });
    // Its own number of a minute stays on every plan, so none would have admitted more.
    const plans = await server.call('GET', PLANS, session);
    expectSuccess(plans);
    expect(plans.body.data).to.deep.include({ plan: 'free', perMinute: PER_MINUTE, refused, larger: [] });
    expectError(await server.call('GET', `${PLANS}?range=week`, session), 400, 'VALIDATION_ERROR');
    // One by one they say the same.
    type Count = {
      at: string;
      keyId?: string;
      endpoint: string;
      outcome: string;
      limit?: string;
      count: number;
    };
    const from = new Date(endedAtMs - 600_000).toISOString();
    const listed: Count[] = await ask(`from=${from}&step=minute`);
    const sumOf = (wants: (count: Count) => boolean) =>
      listed.filter(wants).reduce((sum, { count }) => sum + count, 0);
    expect(sumOf(({ keyId = '' }) => ids.includes(keyId))).to.equal(REQUESTS);
    expect(sumOf(({ outcome }) => outcome === 'limited')).to.equal(refused);
    expect(sumOf(({ limit }) => limit === 'plan')).to.equal(refused);
    const forbidden = [...saw]
      .filter(([name]) => name.endsWith('403'))
      .reduce((sum, [, count]) => sum + count, 0);
    expect(sumOf(({ outcome, keyId = '' }) => outcome === 'clientError' && ids.includes(keyId))).to.equal(
      forbidden,
    );
    expect(listed.map(({ at }) => at)).to.deep.equal(listed.map(({ at }) => at).sort());
    const one = await ask(`groupBy=limit&key=${ids[0]}`);
    expect(one.requests).to.equal(REQUESTS / CALLERS);
    const perSlot: number[] = one.rows.flatMap(({ counts }: Row) => counts);
    expect(perSlot.reduce((sum, count) => sum + count, 0)).to.equal(one.requests);
  });

  it('is answered while the plan is used up, and shows at most 50 rows', async () => {
    const { rows, moreRows, requests } = await ask('groupBy=key,endpoint,outcome,limit');
    expect(rows.length).to.be.at.most(50);
    const shown = rows.reduce((sum: number, row: { requests: number }) => sum + row.requests, 0);
    expect(shown < requests).to.equal(moreRows > 0);
  });
});
