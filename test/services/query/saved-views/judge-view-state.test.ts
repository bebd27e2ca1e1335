/** The state of a saved view is judged by the rules of queries, at the place where it stands in a body. */
import { expect } from 'chai';
import { createJudgeViewState } from '../../../../services/query/saved-views/judge-view-state.ts';
import type { ViewState } from '../../../../services/shared/model/saved-view.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const judge = createJudgeViewState(createTestClock('2026-03-10T12:00:00Z'));
const faultsOf = async (state: ViewState) =>
  (await judge(state)).map(({ field, message }) => `${field}: ${message}`);

describe('the state of a view', () => {
  it('is kept with a preset or dates, a zone, a granularity, filters in groups, and what a page adds', async () => {
    const filters: ViewState['filters'] = [
      { field: 'utm_source', op: 'eq', value: 'newsletter', of: 'session' },
      {
        any: [
          { field: 'path', op: 'starts_with', value: '/blog' },
          { not: { field: 'country', op: 'missing' } },
        ],
      },
    ];
    const states: ViewState[] = [
      { preset: 'last_30d' },
      { preset: 'all' },
      { preset: 'last_7d', compare: 'previous', align: 'weekday' },
      { startDate: '2026-01-01', endDate: '2026-01-31', timezone: 'Europe/Berlin', granularity: 'week' },
      { startDate: '2026-01-01T10:00:00Z', endDate: '2026-01-01T12:00:00Z' },
      { preset: 'today', granularity: 'hourly', filters, display: { tab: 'pages', open: ['/a'] } },
    ];
    for (const state of states) expect(await faultsOf(state)).to.deep.equal([]);
  });

  it('is refused without a range, and with one that is none', async () => {
    expect(await faultsOf({})).to.deep.equal([
      'state.startDate: Required: give startDate and endDate, or a preset.',
      'state.endDate: Required: give startDate and endDate, or a preset.',
    ]);
    expect(await faultsOf({ startDate: '2026-02-30', endDate: '2026-03-01' })).to.have.length(1);
    expect(await faultsOf({ startDate: '2026-03-02', endDate: '2026-03-01' })).to.have.length(1);
    expect((await faultsOf({ preset: 'last_31d' }))[0]).to.match(/^state\.preset: /);
  });

  it('is refused for every fault of a query at once, each in its place', async () => {
    const state = {
      preset: 'last_7d',
      timezone: 'Nowhere/City',
      granularity: 'yearly',
      filters: [{ field: 'path', op: 'like it', value: 'x' }],
    };
    const fields = (await judge(state)).map(({ field }) => field);
    expect(fields).to.include.members(['state.timezone', 'state.granularity', 'state.filters[0].op']);
  });

  it('is refused where no dataset takes a filter', async () => {
    const [unknown] = await faultsOf({
      preset: 'last_7d',
      filters: [
        { field: 'path', op: 'eq', value: '/' },
        { field: 'colour', op: 'eq', value: 'red' },
      ],
    });
    expect(unknown).to.match(/^state\.filters: .*no filter field "colour"/);
  });

  it('is refused where the range is too long for its buckets', async () => {
    const [fault] = await faultsOf({ preset: 'this_year', granularity: 'hourly' });
    expect(fault).to.match(/^state\.granularity: With hourly granularity a range is at most 30 days/);
  });
});
