/** Comparisons on the wire: batches, lines, files, compiled queries and refusals. */
import { expect } from 'chai';
import { COMPARE_LOG, COMPARE_NOW, MARCH } from '../../support/query/compare-log.ts';
import { expectError } from '../../support/query/expect-error.ts';
import { type StartedQueryService, startQueryService } from '../../support/query/start-query-service.ts';

describe('compare on the wire', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: COMPARE_LOG, now: COMPARE_NOW });
  });
  after(() => service.close());

  const ask = (request: object, queryString = '') =>
    service.query({ parameters: ['pages'], ...MARCH, compare: 'previous', ...request }, queryString);

  it('is of one request object of a batch', async () => {
    const request = { parameters: ['summary_metrics'], ...MARCH };
    const { body } = await service.query([request, { ...request, compare: 'previous' }]);
    const results = body.results as { data: { data: object[] }[]; meta: object }[];
    expect(results.map(({ data }) => 'previous' in (data[0]?.data[0] ?? {}))).to.deep.equal([false, true]);
    expect(results.map(({ meta }) => 'compare' in meta)).to.deep.equal([false, true]);
  });

  it('comes in lines, with the period in the last one', async () => {
    const answer = await service.open('/v1/query?website_id=web_a', {
      method: 'POST',
      headers: { accept: 'application/x-ndjson' },
      body: { parameters: ['pages', 'today_metrics'], ...MARCH, limit: 1, compare: 'previous' },
    });
    const lines = (await answer.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0].data[0].previous).to.deep.equal({ pageviews: 1, visitors: 1 });
    expect(lines[0]).to.not.have.property('compare');
    expect(lines[1].compare).to.have.keys('startDate', 'endDate');
    expect(lines[2].meta.compare).to.deep.equal({ startDate: '2025-03-10', endDate: '2025-03-19' });
  });

  it('comes as CSV in columns of its own, of the whole list', async () => {
    const answer = await service.open('/v1/query?website_id=web_a', {
      method: 'POST',
      headers: { accept: 'text/csv' },
      body: { parameters: ['pages'], ...MARCH, compare: 'previous' },
    });
    expect(await answer.text()).to.equal(
      [
        'path,pageviews,visitors,previous_pageviews,previous_visitors',
        '/last,30,30,1,1',
        '/new,29,29,,',
        '/p1,5,5,20,20',
        '/,4,3,2,2',
        '',
      ].join('\r\n'),
    );
  });

  it('is shown by compile: a list looks up keys, which are none before it ran', async () => {
    const compile = async (type: string) => {
      const body = { type, ...MARCH, compare: 'previous' };
      const answer = await service.call('/v1/query/compile?website_id=web_a', { method: 'POST', body });
      return answer.body as { sql: string; compare: { sql: string; params: object } };
    };
    const list = await compile('pages');
    expect(list.compare.sql).to.match(/^WITH e AS/);
    expect(Object.values(list.compare.params)).to.include.members(['[]', Date.parse('2025-03-10')]);
    expect((await compile('summary_metrics')).compare.sql).to.not.include('keys');
  });

  it('refuses what is no period, names the place, and takes align only beside it', async () => {
    const faults = async (request: object) =>
      expectError(await ask(request), 400, 'VALIDATION_ERROR').map(({ field, message }) => [field, message]);
    expect(await faults({ compare: 'last_year' })).to.deep.equal([
      ['compare', '"last_year" is not one of previous, year, {startDate, endDate}.'],
    ]);
    expect(await faults({ compare: { startDate: '2025-03-01' } })).to.deep.equal([
      ['compare', 'an object is not one of previous, year, {startDate, endDate}.'],
    ]);
    expect(
      await faults({ compare: { startDate: '2025-03-01', endDate: '2025-03-02', end: 1 } }),
    ).to.deep.equal([['compare.end', 'Unknown field; allowed: startDate, endDate.']]);
    expect(await faults({ align: 'day' })).to.deep.equal([['align', '"day" is not one of date, weekday.']]);
    expect(await faults({ compare: undefined, align: 'weekday' })).to.deep.equal([
      ['align', 'Only beside compare.'],
    ]);
    const late = await service.query([
      { parameters: ['pages'], ...MARCH, compare: { startDate: '2025-03-02', endDate: '2025-02-30' } },
      { parameters: ['pages'], ...MARCH, compare: { startDate: '2025-03-02', endDate: '2025-03-01' } },
    ]);
    expect(expectError(late, 400, 'INVALID_DATE_RANGE').map(({ field }) => field)).to.deep.equal([
      '[0].compare.endDate',
      '[1].compare.startDate',
    ]);
  });
});
