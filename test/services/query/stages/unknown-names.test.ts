/** Unknown names of a query: refused wherever they stand, with the name that was probably meant, because ignoring them gives wrong numbers. */
import { expect } from 'chai';
import { startCpuTime } from '../../../support/cpu-time.ts';
import { expectError } from '../../../support/query/expect-error.ts';
import { GOLDEN_LOG, GOLDEN_NOW } from '../../../support/query/golden-log.ts';
import { type StartedQueryService, startQueryService } from '../../../support/query/start-query-service.ts';

const PAGES = { parameters: ['pages'], startDate: '2025-03-29', endDate: '2025-03-31' };
const SQL = { sql: 'SELECT 1 AS one' };
const STRUCTURED = { table: 'events', selects: [{ aggregate: 'count' }] };
const FILTER = { field: 'path', op: 'eq', value: '/' };

describe('unknown names', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: GOLDEN_LOG, now: GOLDEN_NOW });
  });
  after(() => service.close());

  const detailsOf = async (path: string, body: unknown, queryString = '') => {
    const answer = await service.call(`${path}${queryString}`, { method: 'POST', body });
    return expectError(answer, 400, 'VALIDATION_ERROR').map(({ field, suggestion }) => [field, suggestion]);
  };

  const ofRequests: readonly [object, string, string | undefined][] = [
    [{ websiteID: 'web_a' }, 'websiteID', 'websiteId'],
    [{ 'website-id': 'web_a' }, 'website-id', 'website_id'],
    [{ website: 'web_a' }, 'website', 'websiteId'],
    [{ siteId: 'web_a' }, 'siteId', 'website_id'],
    [{ clientId: 'web_a' }, 'clientId', 'websiteId'],
    [{ timezon: 'UTC' }, 'timezon', 'timezone'],
    [{ tz: 'UTC' }, 'tz', 'timezone'],
    [{ start_date: '2025-01-01' }, 'start_date', 'startDate'],
    [{ filter: [] }, 'filter', 'filters'],
    [{ sort: 'path' }, 'sort', 'sortBy'],
    [{ limits: 5 }, 'limits', 'limit'],
    [{ parameters: [{ name: 'pages', granularty: 'daily' }] }, 'parameters[0].granularty', 'granularity'],
    [{ parameters: ['pages', { name: 'pages', filters: [] }] }, 'parameters[1].filters', undefined],
    [{ filters: [{ ...FILTER, values: ['/'] }] }, 'filters[0].values', 'value'],
    [{ filters: [FILTER, { ...FILTER, feild: 'path' }] }, 'filters[1].feild', 'field'],
    [{ unheardOf: true }, 'unheardOf', undefined],
    [JSON.parse('{"__proto__": 1}'), '__proto__', undefined],
    [{ constructor: 1 }, 'constructor', undefined],
  ];
  for (const [named, field, suggestion] of ofRequests) {
    it(`refuses ${JSON.stringify(named)} in a request object, meaning ${suggestion ?? 'nothing'}`, async () => {
      const body = withOwn(PAGES, named);
      expect(await detailsOf('/v1/query', body)).to.deep.equal([[field, suggestion]]);
      expect(await detailsOf('/v1/query/compile', body)).to.deep.equal([[field, suggestion]]);
      expect(await detailsOf('/v1/query', [PAGES, body])).to.deep.equal([[`[1].${field}`, suggestion]]);
    });
  }

  const ofCustom: readonly [object, string, string | undefined][] = [
    [{ ...SQL, websiteID: 'web_a' }, 'websiteID', 'websiteId'],
    [{ ...SQL, parameters: {} }, 'parameters', 'params'],
    [{ query: { ...STRUCTURED, filter: [] } }, 'query.filter', 'filters'],
    [{ query: { ...STRUCTURED, where: [] } }, 'query.where', undefined],
    [
      { query: { ...STRUCTURED, selects: [{ aggregate: 'count', as: 'n' }] } },
      'query.selects[0].as',
      undefined,
    ],
    [{ query: { ...STRUCTURED, filters: [{ ...FILTER, val: 1 }] } }, 'query.filters[0].val', 'value'],
  ];
  for (const [body, field, suggestion] of ofCustom) {
    it(`refuses ${field} of a custom query, meaning ${suggestion ?? 'nothing'}`, async () => {
      expect(await detailsOf('/v1/query/custom', body, '?website_id=web_a')).to.deep.equal([
        [field, suggestion],
      ]);
    });
  }

  it('takes any name for a parameter of SQL', async () => {
    const body = { sql: 'SELECT $website AS w', params: { website: 'x' } };
    expect((await service.custom(body)).status).to.equal(200);
  });

  const ofQueryStrings: readonly [string, string, string | undefined][] = [
    ['websiteid=web_a', 'websiteid', 'websiteId'],
    ['client_id=web_a', 'client_id', 'website_id'],
    ['project_id=web_a', 'project_id', 'website_id'],
    ['from=2025-01-01', 'from', 'startDate'],
    ['time_zone=UTC', 'time_zone', 'timezone'],
    ['limit=5', 'limit', undefined],
    ['_=1', '_', undefined],
  ];
  for (const [queryString, field, suggestion] of ofQueryStrings) {
    it(`refuses ${queryString} in the query string, meaning ${suggestion ?? 'nothing'}`, async () => {
      const wanted = [[field, suggestion]];
      expect(await detailsOf('/v1/query', PAGES, `?${queryString}`)).to.deep.equal(wanted);
      expect(await detailsOf('/v1/query/compile', PAGES, `?${queryString}`)).to.deep.equal(wanted);
      expect(await detailsOf('/v1/query/custom', SQL, `?website_id=web_a&${queryString}`)).to.deep.equal(
        wanted,
      );
    });
  }

  it('tells those of query string and body at once, with what is allowed', async () => {
    const answer = await service.call('/v1/query?websitId=web_a', {
      method: 'POST',
      body: { ...PAGES, whatever: 1, granularity: 'x' },
    });
    const details = expectError(answer, 400, 'VALIDATION_ERROR');
    expect(details.map(({ field }) => field)).to.have.members(['websitId', 'whatever', 'granularity']);
    const [misspelt, unknown] = ['websitId', 'whatever'].map((name) =>
      details.find(({ field }) => field === name),
    );
    expect(misspelt?.message).to.equal('Unknown field; did you mean "websiteId"?');
    expect(unknown?.message).to.match(/^Unknown field; allowed: website_id, websiteId, .*, groupBy\.$/);
  });

  it('stay cheap when there are very many, or long ones', async () => {
    const many = Object.fromEntries(Array.from({ length: 7_000 }, (_, index) => [`websiteId${index}`, 1]));
    const cpuMs = startCpuTime();
    const answer = await service.query({ ...PAGES, ...many });
    expect(cpuMs()).to.be.lessThan(5_000);
    const details = expectError(answer, 400, 'VALIDATION_ERROR');
    expect(details).to.have.length(101);
    expect(details.filter(({ suggestion }) => suggestion !== undefined)).to.have.length(20);
    const long = expectError(
      await service.query({ ...PAGES, ['x'.repeat(1_000_000)]: 1 }),
      400,
      'VALIDATION_ERROR',
    );
    expect(long[0]?.field).to.have.length(65);
  });
});

/** With `__proto__` as a field like any other, as JSON has it. */
function withOwn(base: object, named: object): object {
  const entries = [...Object.entries(base), ...Object.entries(named)];
  return JSON.parse(
    `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`,
  );
}
