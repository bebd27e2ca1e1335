/** GET /v1/usage/limits through the whole server: who may ask, and that it says what the callers saw, and counts nothing. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { configurationWithOverrides, type OwnSession, ownerSession } from '../support/owner-session.ts';
import { type RouteCase, sessionRouteCases } from '../support/route-cases.ts';
import { type Answer, startTidegate, type TestServer } from '../support/start-tidegate.ts';
import type { TempDirectory } from '../support/temp-directory.ts';

const PATH = '/v1/usage/limits';
const ROUTE: RouteCase = { method: 'GET', path: PATH, wrongMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] };
const CALLERS = 20;
const REQUESTS = 1_000;
const PER_MINUTE = 900;
const OF_KEY = 40;

describe('the contract of the limits in force', () => {
  let started: TestServer;
  before(async () => {
    started = await startTidegate();
  });
  after(() => started.close());

  describe(`GET ${PATH}`, () => sessionRouteCases(() => started, ROUTE));
});

describe('the limits in force', function () {
  this.timeout(30_000);
  let folder: TempDirectory;
  let server: TestServer;
  let session: OwnSession;

  before(async () => {
    folder = configurationWithOverrides(
      `{ organization: org_main, limit: perMinute, max: ${PER_MINUTE} }`,
      `{ key: key_two, limit: perMinute, max: ${OF_KEY} }`,
    );
    server = await startTidegate({ configDir: folder.path });
    session = await ownerSession(server);
  });
  after(async () => {
    await server.close();
    folder.remove();
  });

  const ask = () => server.call('GET', PATH, session);
  type Row = Record<'name' | 'window' | 'limit' | 'used' | 'remaining' | 'reset' | 'key', never>;
  const rowOf = ({ body }: Answer, wanted: Partial<Record<string, unknown>>): Row =>
    body.data.find((row: Row) =>
      Object.entries(wanted).every(([name, value]) => row[name as keyof Row] === value),
    );
  const minute = (answer: Answer) => rowOf(answer, { name: 'plan', window: '60 s', key: null });

  it('lists the plan first and then every limit by its name, with the endpoints that count in it', async () => {
    const answer = await ask();
    expectSuccess(answer);
    expect(answer.body.data.map(({ name, window, key }: Row) => [name, window, key])).to.deep.equal([
      ['plan', '10 s', null],
      ['plan', '60 s', null],
      ['batch-datasets', '60 s', null],
      ['batch-events', '60 s', null],
      ['custom-sql', '60 s', null],
      ['custom-sql-seconds', '60 s', null],
      ['usage', '60 s', null],
      ['plan', '60 s', 'key_two'],
    ]);
    expect(rowOf(answer, { name: 'custom-sql' })).to.deep.include({
      counts: 'requests',
      limit: 30,
      used: 0,
      remaining: 30,
      reset: null,
      enforced: true,
      endpoints: ['query-custom'],
    });
    expect(rowOf(answer, { name: 'usage' })).to.deep.include({
      limit: 60,
      used: 1,
      endpoints: ['usage-limits', 'usage-requests', 'platform'],
    });
    expect(minute(answer)).to.deep.include({ limit: PER_MINUTE, used: 0, reset: null });
    expect(answer.headers.get('x-ratelimit-limit')).to.equal('60');
    expect(answer.headers.get('cache-control')).to.equal('private, no-store');
  });

  it(`says what ${REQUESTS} requests of ${CALLERS} callers saw, and is answered while the plan is used up`, async () => {
    const keys: string[] = [];
    for (let count = 0; count < CALLERS; count++) {
      const body = { name: `caller ${count}`, scopes: ['read:data'], access: { level: 'global' } };
      const created = await server.call('POST', '/v1/api-keys', { ...session, body });
      expect(created.status, JSON.stringify(created.body)).to.equal(201);
      keys.push(created.body.data.secret);
    }
    const saw: Answer[] = [];
    await Promise.all(
      keys.map(async (key) => {
        for (let count = 0; count < REQUESTS / CALLERS; count++)
          saw.push(await server.call('GET', '/v1/query/websites', { key }));
      }),
    );
    const admitted = saw.filter(({ status }) => status === 200);
    expect(admitted).to.have.length(PER_MINUTE - CALLERS);
    expect(saw.filter(({ status }) => status === 429)).to.have.length(REQUESTS - admitted.length);
    const resets = new Set(admitted.map(({ headers }) => headers.get('x-ratelimit-reset')));
    for (let turn = 0; turn < 3; turn++) {
      const answer = await ask();
      expectSuccess(answer);
      const row = minute(answer);
      expect(row).to.include({ limit: PER_MINUTE, used: PER_MINUTE, remaining: 0 });
      expect([...resets]).to.include(`${Math.ceil(Date.parse(row.reset) / 1_000)}`);
    }
    expectError(await server.call('GET', '/v1/websites', session), 429, 'RATE_LIMIT_EXCEEDED');
  });

  it('tells the budget of a single key', async () => {
    const before = rowOf(await ask(), { name: 'plan', key: 'key_two' });
    expect(before).to.include({ window: '60 s', limit: OF_KEY, used: 0, remaining: OF_KEY });
  });

  it('has a limit of its own, which tells itself', async () => {
    let answer = await ask();
    for (let count = 0; count < 70 && answer.status === 200; count++) answer = await ask();
    expectError(answer, 429, 'RATE_LIMIT_EXCEEDED');
    expect(answer.body.error).to.contain('usage');
    expect(answer.headers.get('x-ratelimit-limit')).to.equal('60');
  });
});
