/** Every dataset over the golden shop log, each answer worked out by hand; together with golden.test.ts none is left out. */
import { expect } from 'chai';
import { DATASETS, DATASETS_BY_NAME } from '../../../services/query/datasets/index.ts';
import { datasetNames, needsArguments } from '../../support/query/asked-datasets.ts';
import { describeOnEngines } from '../../support/query/engines.ts';
import { expectError } from '../../support/query/expect-error.ts';
import { GOLDEN_NOW } from '../../support/query/golden-log.ts';
import { GOLDEN_SHOP_ANSWERS } from '../../support/query/golden-shop-answers.ts';
import { GOLDEN_SHOP_LOG } from '../../support/query/golden-shop-log.ts';
import { datasetsOf, rowsOf, type StartedQueryService } from '../../support/query/start-query-service.ts';

const JANUARY = { startDate: '2025-01-15', endDate: '2025-01-16' };
/** Those that golden.test.ts and golden-now.test.ts work out, and those of optional arguments the tests of these. */
const ELSEWHERE = [
  ...['summary', 'summary_metrics', 'pages', 'custom_events', 'custom_events_summary'],
  ...['active_now', 'active_pages', 'active_sources', 'active_countries'],
  ...['events_live', 'goals', 'retention'],
];

describeOnEngines('datasets over the golden shop log', (start) => {
  let service: StartedQueryService;
  before(async () => {
    service = await start({ log: GOLDEN_SHOP_LOG, now: GOLDEN_NOW });
  });

  const rows = async (name: string, request: object = {}, queryString = '') =>
    rowsOf(await service.query({ parameters: [name], ...JANUARY, ...request }, queryString));

  it('has an answer for every dataset', () => {
    const answered = [...ELSEWHERE, ...Object.keys(GOLDEN_SHOP_ANSWERS)];
    // Those that need arguments stand in golden-detail.test.ts.
    expect(answered).to.have.members(datasetNames('arguments'));
  });

  for (const [name, answer] of Object.entries(GOLDEN_SHOP_ANSWERS)) {
    const names = DATASETS_BY_NAME.get(name)?.names ?? [];
    it(`${names.join(', ')}: exactly the rows, in their order`, async () => {
      for (const each of names) {
        const found = await rows(each);
        expect(found).to.deep.equal(answer);
        const columns = DATASETS_BY_NAME.get(each)?.columns.filter(({ ofGoal }) => !ofGoal);
        expect(Object.keys(found[0] ?? {})).to.deep.equal(columns?.map((column) => column.name));
      }
    });
  }

  it('today_metrics and active_stats follow the clock and the timezone, not the dates', async () => {
    // 10:00 UTC is 23:00 of 1 April in Niue: its day began at 11:00 UTC.
    expect(await rows('today_metrics', {}, '&timezone=Pacific/Niue')).to.deep.equal([
      { pageviews: 4, visitors: 4, sessions: 4 },
    ]);
    // Midnight of 3 April in Kiritimati: nothing but the last millisecond.
    expect(await rows('today_metrics', {}, '&timezone=Pacific/Kiritimati')).to.deep.equal([
      { pageviews: 1, visitors: 2, sessions: 1 },
    ]);
    const filters = [{ field: 'path', op: 'eq', value: '/' }];
    expect(await rows('active_stats', { filters })).to.deep.equal([{ active_users: 0, active_sessions: 0 }]);
  });

  it('today_metrics and active_stats need no dates; others beside them do', async () => {
    const ask = (parameters: unknown[], dates = {}) =>
      service.call('/v1/query?website_id=web_a', { method: 'POST', body: { parameters, ...dates } });
    const undated = await ask(['today_metrics', { name: 'active_stats', id: 'now', granularity: 'hourly' }]);
    expect(undated.status).to.equal(200);
    const dated = await ask(['today_metrics', { name: 'active_stats', id: 'now' }], JANUARY);
    expect(datasetsOf(undated)).to.deep.equal(datasetsOf(dated));
    expect(datasetsOf(undated).map(({ parameter }) => parameter)).to.deep.equal(['today_metrics', 'now']);
    const mixed = expectError(await ask(['today_metrics', 'pages']), 400, 'VALIDATION_ERROR');
    expect(mixed.map(({ field }) => field)).to.deep.equal(['startDate', 'endDate']);
    const half = expectError(
      await ask(['today_metrics'], { startDate: '2025-01-15' }),
      400,
      'VALIDATION_ERROR',
    );
    expect(half.map(({ field }) => field)).to.deep.equal(['endDate']);
  });

  it('lists of any kind can be sorted by any of their columns, and paged without overlap', async () => {
    for (const dataset of DATASETS) {
      const { names, kind } = dataset;
      // A feed goes on by its cursor.
      if (kind !== 'list' || needsArguments(dataset) || dataset.feed) continue;
      const columns = dataset.columns.filter(({ ofGoal }) => !ofGoal);
      const by = columns.flatMap(({ name }, index) => ({
        sortBy: name,
        sortOrder: index % 2 === 0 ? 'asc' : 'desc',
      }));
      const pages = [{}, { limit: 2 }, { limit: 2, page: 2 }];
      const body = by.flatMap((order) =>
        pages.map((page) => ({ parameters: [names[0]], ...JANUARY, ...order, ...page })),
      );
      const answer = await service.query(body);
      const results = answer.body.results as { data: { data: Record<string, unknown>[] }[] }[];
      const rowsAt = (index: number) => results[index]?.data[0]?.data ?? [];
      for (const [index, { sortBy, sortOrder }] of by.entries()) {
        const [whole, first, second] = [rowsAt(3 * index), rowsAt(3 * index + 1), rowsAt(3 * index + 2)];
        expect([...first, ...second], `${names[0]} by ${sortBy}`).to.deep.equal(whole.slice(0, 4));
        const numbers = whole.map((row) => row[sortBy]).filter((value) => typeof value === 'number');
        const sorted = [...numbers].sort((a, b) => (sortOrder === 'asc' ? a - b : b - a));
        expect(numbers, `${names[0]} by ${sortBy}`).to.deep.equal(sorted);
      }
    }
  });

  it('countries are ordered by the name that is shown', async () => {
    const names = async (sortBy: string) => (await rows('countries', { sortBy })).map(({ name }) => name);
    expect(await names('name')).to.deep.equal(['France', 'Germany']);
    expect(await names('country_code')).to.deep.equal(['Germany', 'France']);
  });

  it('sessions can be grouped further, by what their first event that has one says', async () => {
    const found = await rows('sessions_by_device', { groupBy: ['country', 'properties.plan'] });
    expect(found.map((row) => [row.name, row.country, row['properties.plan'], row.sessions])).to.deep.equal([
      ['mobile', 'DE', 'Unknown', 2],
      ['desktop', 'FR', 'Unknown', 1],
    ]);
  });
});
