/** Selectors and zones in a request object: the same as in the query string, per object of a batch; other unknown names are faults. */
import { expect } from 'chai';
import { compiledOf, valuesOf } from '../../support/query/compiled.ts';
import { expectError } from '../../support/query/expect-error.ts';
import { GOLDEN_LOG, GOLDEN_NOW } from '../../support/query/golden-log.ts';
import {
  type Answer,
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../support/query/start-query-service.ts';

const MARCH = { startDate: '2025-03-29', endDate: '2025-03-31' };
const METRICS = { parameters: ['summary_metrics'], ...MARCH };
/** Events of web_a, of web_b, and of all of org_a. */
const WEBSITE_A = 15;
const WEBSITE_B = 1;
const ORGANIZATION = 17;

describe('names in a request object', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: GOLDEN_LOG, now: GOLDEN_NOW });
  });
  after(() => service.close());

  const post = (path: string, body: unknown, as = 'global') =>
    service.call(path, { method: 'POST', body, as });
  const events = (answer: Answer) => (answer.status === 200 ? rowsOf(answer)[0]?.total_events : answer.body);
  const fieldsOf = async (path: string, body: unknown) =>
    expectError(await post(path, body), 400, 'VALIDATION_ERROR').map(({ field }) => field);

  const answered: readonly [string, object, string, number][] = [
    ['', { website_id: 'web_a' }, 'global', WEBSITE_A],
    ['', { websiteId: 'web_b' }, 'global', WEBSITE_B],
    ['', { websiteId: 'web_b' }, 'two-websites', WEBSITE_B],
    ['', { websiteId: 'web_b', website_id: 'web_b' }, 'global', WEBSITE_B],
    ['?website_id=web_b', { websiteId: 'web_b' }, 'global', WEBSITE_B],
    ['?organization_id=org_a', { websiteId: 'web_b' }, 'global', WEBSITE_B],
    ['', { organizationId: 'org_a' }, 'session', ORGANIZATION],
    ['', {}, 'global', ORGANIZATION],
  ];
  for (const [queryString, named, as, total] of answered) {
    it(`${queryString} ${JSON.stringify(named)} as ${as} reads ${total} events`, async () => {
      expect(events(await post(`/v1/query${queryString}`, { ...METRICS, ...named }, as))).to.equal(total);
    });
  }

  const refused: readonly [object, string][] = [
    [{ websiteId: 'web_c' }, 'global'],
    [{ website_id: 'web_b' }, 'one-website'],
    [{ websiteId: 'web_a', organization_id: 'org_b' }, 'global'],
    [{ organizationId: 'org_a' }, 'one-website'],
    [{ linkId: 'lnk_none' }, 'global'],
  ];
  for (const [named, as] of refused) {
    it(`${JSON.stringify(named)} as ${as} is ACCESS_DENIED, on every route`, async () => {
      for (const path of ['/v1/query', '/v1/query/compile']) {
        expectError(await post(path, { ...METRICS, ...named }, as), 403, 'ACCESS_DENIED');
      }
      expectError(await post('/v1/query', [METRICS, { ...METRICS, ...named }], as), 403, 'ACCESS_DENIED');
      const custom = { sql: 'SELECT 1 AS one', ...named };
      expectError(await post('/v1/query/custom', custom, as), 403, 'ACCESS_DENIED');
    });
  }

  const differing: readonly [string, object, string][] = [
    ['', { website_id: 'web_a', websiteId: 'web_b' }, 'website_id'],
    ['?website_id=web_a', { websiteId: 'web_b' }, 'websiteId'],
    ['?websiteId=web_a', { website_id: 'web_b' }, 'website_id'],
    ['?link_id=a', { linkId: 'b' }, 'linkId'],
    ['?organization_id=org_a', { organizationId: 'org_b' }, 'organizationId'],
    ['?timezone=UTC', { timeZone: 'Europe/Berlin' }, 'timeZone'],
    ['', { timezone: 'UTC', timeZone: 'Europe/Berlin' }, 'timezone'],
    ['', { website_id: null }, 'website_id'],
    ['', { websiteId: ['web_a'] }, 'websiteId'],
    ['', { link_id: '' }, 'link_id'],
    ['', { websiteId: 'a\0' }, 'websiteId'],
    ['', { timeZone: 'Mars/Olympus' }, 'timeZone'],
    ['', { timezone: 7 }, 'timezone'],
  ];
  for (const [queryString, named, field] of differing) {
    it(`${queryString} ${JSON.stringify(named)} is a VALIDATION_ERROR in ${field}, on every route`, async () => {
      const query = `/v1/query${queryString}`;
      expect(await fieldsOf(query, { ...METRICS, ...named })).to.deep.equal([field]);
      expect(await fieldsOf(query, [METRICS, { ...METRICS, ...named }])).to.deep.equal([`[1].${field}`]);
      expect(await fieldsOf(`/v1/query/compile${queryString}`, { ...METRICS, ...named })).to.deep.equal([
        field,
      ]);
      const custom = { sql: 'SELECT 1 AS one', ...named };
      expect(await fieldsOf(`/v1/query/custom${queryString}`, custom)).to.deep.equal([field]);
    });
  }

  it('each object of a batch has its own selector and zone, those of the query string where it has none', async () => {
    const named = [
      { websiteId: 'web_a' },
      {},
      { website_id: 'web_b' },
      { organizationId: 'org_a' },
      { website_id: 'web_a' },
    ];
    const answer = await post(
      '/v1/query',
      named.map((one) => ({ ...METRICS, ...one })),
    );
    const results = answer.body.results as { data: { data: { total_events: number }[] }[] }[];
    expect(results.map(({ data }) => data[0]?.data[0]?.total_events)).to.deep.equal([
      WEBSITE_A,
      ORGANIZATION,
      WEBSITE_B,
      ORGANIZATION,
      WEBSITE_A,
    ]);
  });

  it('the zone of the body is the zone of the days, per object', async () => {
    const day = {
      parameters: ['events_by_date'],
      startDate: '2025-03-30',
      endDate: '2025-03-30',
      granularity: 'hourly',
    };
    const hours = (answer: Answer) => rowsOf(answer).length;
    // The clocks of Berlin went forward on that day.
    expect(hours(await service.query(day))).to.equal(24);
    for (const zone of [{ timezone: 'Europe/Berlin' }, { timeZone: 'Europe/Berlin' }]) {
      expect(hours(await service.query({ ...day, ...zone }))).to.equal(23);
      const byQuery = await service.query(day, '&timezone=Europe/Berlin');
      expect((await service.query({ ...day, ...zone })).body).to.deep.equal(byQuery.body);
    }
    expect(hours(await service.query(day, '&timeZone=Europe/Berlin'))).to.equal(23);
    const both = await service.query([day, { ...day, timezone: 'Europe/Berlin' }, day]);
    const results = both.body.results as { data: { data: unknown[] }[] }[];
    expect(results.map(({ data }) => data[0]?.data.length)).to.deep.equal([24, 23, 24]);
  });

  it('compile is bound to the website of the body, under its aliases too', async () => {
    const plain = await post('/v1/query/compile?website_id=web_b', METRICS);
    for (const named of [{ website_id: 'web_b' }, { websiteId: 'web_b' }, { projectId: 'web_b' }]) {
      const { status, body } = await post('/v1/query/compile', { ...METRICS, ...named });
      expect(status, JSON.stringify(named)).to.equal(200);
      expect(compiledOf(body)).to.deep.equal(compiledOf(plain.body));
      expect(valuesOf(body)).to.include('web_b');
    }
    const series = { parameters: ['events_by_date'], ...MARCH, website_id: 'web_a' };
    const weekly = await post('/v1/query/compile', { ...series, granularity: 'week' });
    const aliased = await post('/v1/query/compile', { ...series, timeUnit: 'week' });
    expect(compiledOf(aliased.body)).to.deep.equal(compiledOf(weekly.body));
  });

  const conflicts: readonly [object, string][] = [
    [{ projectId: 'web_a', website_id: 'web_b' }, 'projectId'],
    [{ projectId: 'web_a', websiteId: 'web_b' }, 'projectId'],
    [{ timeUnit: 'week', granularity: 'day' }, 'timeUnit'],
    [{ type: 'pages' }, 'type'],
    [{ from: '2025-03-28' }, 'from'],
    [{ to: '2025-03-28' }, 'to'],
  ];
  for (const [named, field] of conflicts) {
    it(`compile refuses ${JSON.stringify(named)} beside another value of its field`, async () => {
      const fields = await fieldsOf('/v1/query/compile', { ...METRICS, ...named });
      expect(fields).to.have.length(1);
      expect(fields[0]).to.be.oneOf([field, 'website_id']);
    });
  }

  it('an alias of compile that says the same is no fault, and is none of the other routes’ names', async () => {
    const same = {
      ...METRICS,
      type: 'summary_metrics',
      from: MARCH.startDate,
      projectId: 'web_a',
      websiteId: 'web_a',
    };
    expect((await post('/v1/query/compile', same)).status).to.equal(200);
    expect(await fieldsOf('/v1/query', same)).to.have.members(['type', 'from', 'projectId']);
    expect(
      await fieldsOf('/v1/query/compile?website_id=web_b', { ...METRICS, projectId: 'web_a' }),
    ).to.deep.equal(['projectId']);
  });

  it('custom runs over the website of the body, whose zone is that of its days', async () => {
    const body = { sql: 'SELECT count(*) AS n FROM events' };
    const count = async (named: object, queryString = '') => {
      const answer = await post(`/v1/query/custom${queryString}`, { ...body, ...named });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      return (answer.body.data as { n: number }[])[0]?.n;
    };
    for (const [website, queryString] of [
      ['web_a', 'web_b'],
      ['web_b', 'web_a'],
    ] as const) {
      const wanted = await count({}, `?website_id=${website}`);
      expect(wanted).to.not.equal(await count({}, `?website_id=${queryString}`));
      expect(await count({ website_id: website })).to.equal(wanted);
      expect(await count({ websiteId: website })).to.equal(wanted);
    }
    const link = await post('/v1/query/custom', body);
    expectError(link, 400, 'MISSING_WEBSITE_ID');
  });
});
