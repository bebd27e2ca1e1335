/** POST /v1/query/compile: shows what would run, for the caller's websites only, and runs nothing. */
import { expect } from 'chai';
import { compileRoute } from '../../../../services/query/routes/compile.ts';
import { compiledOf, valuesOf } from '../../../support/query/compiled.ts';
import { describeOnEngines } from '../../../support/query/engines.ts';
import { expectError } from '../../../support/query/expect-error.ts';
import { GOLDEN_LOG, GOLDEN_NOW } from '../../../support/query/golden-log.ts';
import type { StartedQueryService } from '../../../support/query/start-query-service.ts';
import { withRun } from '../../../support/query/with-run.ts';
import { everythingOf } from '../../../support/readable-events.ts';

const RANGE = { startDate: '2025-03-29', endDate: '2025-03-31' };

describeOnEngines('compile', (start) => {
  let service: StartedQueryService;
  let runs = 0;
  before(async () => {
    service = await start({
      log: GOLDEN_LOG,
      now: GOLDEN_NOW,
      wrapEvents: (events) =>
        withRun(events, (query, read) => {
          runs++;
          return events.run(query, read);
        }),
    });
  });

  const compile = (body: unknown, queryString = '?website_id=web_a', as = 'global') =>
    service.call(`/v1/query/compile${queryString}`, { method: 'POST', body, as });

  it('answers engine, sql and params of one parameter, and runs nothing', async () => {
    const before = runs;
    const { status, body } = await compile({ parameters: ['pages'], ...RANGE });
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('success', 'requestId', 'engine', 'sql', 'params');
    expect(body).to.include({ success: true, engine: 'duckdb' });
    expect(runs).to.equal(before);
  });

  it('answers, of one parameter and of several, what its description says', async () => {
    for (const parameters of [['pages'], ['pages', 'summary']]) {
      const { body } = await compile({ parameters, ...RANGE });
      const { schema } = compileRoute.success;
      expect(schema?.safeParse(body).error, parameters.join()).to.equal(undefined);
    }
  });

  it('shows what gives the rows of the same query', async () => {
    const { body } = await compile({ parameters: ['summary_metrics'], ...RANGE });
    const rows = await service.events.run(compiledOf(body), { reach: everythingOf('org_a', 'web_a') });
    const answer = await service.query({ parameters: ['summary_metrics'], ...RANGE });
    const [shown] = (answer.body.data as { data: { pageviews: number }[] }[])[0]?.data ?? [];
    expect(Object.values(rows[0] ?? {})).to.include(shown?.pageviews);
    expect(shown?.pageviews).to.be.greaterThan(0);
  });

  it('takes type for one parameter and from and to for the dates', async () => {
    const plain = await compile({ parameters: ['pages'], ...RANGE });
    const aliased = await compile({ type: 'pages', from: RANGE.startDate, to: RANGE.endDate });
    expect(aliased.status).to.equal(200);
    expect(compiledOf(aliased.body)).to.deep.equal(compiledOf(plain.body));
  });

  it('answers several parameters with one query each, in their order, under the ids that they have', async () => {
    const parameters = ['pages', { name: 'summary', id: 'mine' }];
    const { status, body } = await compile({ parameters, ...RANGE });
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('success', 'requestId', 'engine', 'queries');
    const queries = body.queries as { parameter: string; engine: string }[];
    expect(queries.map(({ parameter }) => parameter)).to.deep.equal(['pages', 'mine']);
    const alone = await compile({ parameters: ['pages'], ...RANGE });
    const { success, requestId, ...query } = alone.body;
    expect(queries[0]).to.deep.include(query);
  });

  const bound: readonly [string, string, readonly string[], readonly string[]][] = [
    ['?website_id=web_a', 'global', ['org_a', 'web_a'], ['web_b', 'web_c', 'org_b']],
    ['', 'one-website', ['org_a', 'web_a'], ['web_b', 'web_c', 'org_b']],
    ['', 'other-organization', ['org_b', 'web_c'], ['web_a', 'web_b', 'org_a']],
  ];
  for (const [queryString, as, own, others] of bound) {
    it(`${queryString || 'no selector'} as ${as} is bound to ${own.join(' and ')}`, async () => {
      const { body } = await compile({ parameters: ['pages'], ...RANGE }, queryString, as);
      const values = valuesOf(body);
      expect(values).to.include.members([...own]);
      for (const other of others) expect(values).not.to.include(other);
    });
  }

  it('keeps every value of the client out of what the engine reads as its language', async () => {
    const value = "x' OR 1=1 --";
    const filters = [
      { field: 'path', op: 'eq', value },
      { field: `properties.${value}`, op: 'eq', value },
    ];
    const { status, body } = await compile({ parameters: ['pages'], ...RANGE, filters });
    expect(status).to.equal(200);
    expect(body.sql).to.be.a('string').and.not.to.include('OR 1=1');
    expect(valuesOf(body)).to.include(value);
  });

  it('refuses a selector out of reach with 403 ACCESS_DENIED', async () => {
    for (const website of ['web_c', 'web_none']) {
      expectError(await compile({ type: 'pages', ...RANGE }, `?website_id=${website}`), 403, 'ACCESS_DENIED');
    }
  });

  it('asks a key of several websites for a selector with MISSING_PROJECT_ID', async () => {
    for (const as of ['two-websites', 'no-websites']) {
      expectError(await compile({ type: 'pages', ...RANGE }, '', as), 400, 'MISSING_PROJECT_ID');
    }
  });

  it('answers only unknown names with INVALID_QUERY_TYPE and the nearest name, in the field that came', async () => {
    const [detail] = expectError(await compile({ type: 'pagse', ...RANGE }), 400, 'INVALID_QUERY_TYPE');
    expect(detail).to.deep.include({ field: 'type', suggestion: 'pages' });
  });

  it('answers what cannot be built with COMPILATION_ERROR naming every clause, and shows none', async () => {
    const answer = await compile({
      parameters: ['pages', 'pagse', { name: 'summary', granularity: 'hourly', startDate: '2020-01-01' }],
      ...RANGE,
    });
    const details = expectError(answer, 400, 'COMPILATION_ERROR');
    expect(details.map(({ field }) => field)).to.deep.equal(['parameters[1]', 'parameters[2]']);
    expect(answer.body.error).to.match(/^parameters\[1\]: No dataset is named "pagse"/);
    expect(answer.body).not.to.have.property('queries');
    const field = { field: 'nonsense', op: 'eq', value: '1' };
    const refused = await compile({ type: 'pages', ...RANGE, filters: [field] });
    expect(expectError(refused, 400, 'COMPILATION_ERROR')[0]?.field).to.equal('type');
    expect(refused.body.error).to.include('has no filter field "nonsense"');
  });

  it('names faults of shape and date as they came, all at once', async () => {
    const details = expectError(await compile({ from: 7, to: '2025-13-01' }), 400, 'VALIDATION_ERROR');
    expect(details.map(({ field }) => field)).to.include.members(['parameters', 'from', 'to']);
    const late = expectError(
      await compile({ type: 'pages', from: '2025-03-31', to: '2025-03-01' }),
      400,
      'INVALID_DATE_RANGE',
    );
    expect(late[0]?.field).to.equal('from');
  });

  it('refuses a batch, and JSON that is no object', async () => {
    for (const body of [[{ type: 'pages', ...RANGE }], '7', '"text"', 'null']) {
      const details = expectError(await compile(body), 400, 'VALIDATION_ERROR');
      expect(details[0]?.field).to.equal('body');
    }
  });
});
