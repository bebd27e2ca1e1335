/** Checks that the overview shows what the API answered: it picks, names and leaves out, and computes no number. */
import { expect } from 'chai';
import type { DatasetAnswer, QueryAnswer } from '../../../../../../services/dashboard/client/api/wire.ts';
import { MEASURES } from '../../../../../../services/dashboard/client/screens/overview/measures.ts';
import {
  activeOf,
  bucketsOf,
  eventsOf,
  measured,
  totalsBefore,
  totalsOf,
} from '../../../../../../services/dashboard/client/screens/overview/model.ts';
import { PANELS } from '../../../../../../services/dashboard/client/screens/overview/panels.ts';
import {
  EVER,
  listRequest,
  screenRequest,
} from '../../../../../../services/dashboard/client/screens/overview/questions.ts';
import { answerOf, type QueryBatch } from '../../../../../../services/dashboard/client/website/batch.ts';
import { DATASETS_BY_NAME } from '../../../../../../services/query/datasets/index.ts';

const answer = (data: DatasetAnswer['data'], parameter = 'x'): DatasetAnswer => ({
  parameter,
  success: true,
  data,
});
describe('the model of the overview', () => {
  it('names datasets and columns that the API has', () => {
    for (const { dataset, columns, percent = 'percentage' } of PANELS.flatMap(({ lists }) => lists)) {
      const has = DATASETS_BY_NAME.get(dataset)?.columns.map(({ name }) => name) ?? [];
      expect(has, dataset).to.include.members(['name', percent, ...columns]);
    }
  });

  it('finds a dataset in any request object of the batch', () => {
    const part = (...data: DatasetAnswer[]): QueryAnswer => ({
      data,
      meta: { parameters: [], total_parameters: 0, page: 1, limit: 100, filters_applied: 0, failed: 0 },
    });
    const batch = { results: [part(answer([], 'a')), part(answer([{ n: 1 }], 'b'))] };
    expect(answerOf(batch, 'b')?.data).to.deep.equal([{ n: 1 }]);
    expect(answerOf(batch, 'c')).to.equal(undefined);
    expect(answerOf(undefined, 'a')).to.equal(undefined);
  });

  it('shows the totals as they came', () => {
    const totals = answer([
      {
        visitors: 3,
        sessions: 4,
        pageviews: 9,
        bounce_rate: 33.33,
        median_session_duration: 80.87,
        total_events: 12,
        pages_per_session: 2.25,
      },
    ]);
    expect(MEASURES.map((measure) => measured(measure, totalsOf(totals)))).to.deep.equal([
      3, 4, 9, 33.33, 80.87, 2.25,
    ]);
    expect(eventsOf(totals)).to.equal(12);
    expect(activeOf(answer([{ active_users: 2 }]))).to.equal(2);
    expect(activeOf({ ...answer([]), success: false })).to.equal(undefined);
  });

  it('has no rate and no duration where there is no session, and numbers all the same', () => {
    const none = totalsOf(answer([{ visitors: 2, sessions: 0, pageviews: 0, bounce_rate: 0 }]));
    expect(MEASURES.map((measure) => measured(measure, none))).to.deep.equal([2, 0, 0, null, null, null]);
  });

  it('keeps every bucket with its values and says which have not begun', () => {
    const row = (date: string, visitors: number) => ({
      date,
      visitors,
      sessions: 0,
      pageviews: 0,
      bounce_rate: 0,
      median_session_duration: 0,
    });
    const buckets = bucketsOf(
      answer([row('2026-11-22', 5), row('2026-11-23', 2), row('2026-11-24', 0)]),
      'daily',
      { now: Date.parse('2026-11-23T12:00:00Z'), today: '2026-11-23' },
      { first: '2026-11-22', last: '2026-11-24' },
    );
    expect(buckets.map(({ state, values }) => [state, values.visitors])).to.deep.equal([
      ['whole', 5],
      ['running', 2],
      ['future', 0],
    ]);
  });

  it('tells what each number was in the other period', () => {
    const before = {
      ...{ visitors: 1, sessions: 2, pageviews: 3, bounce_rate: 50, median_session_duration: 4 },
      pages_per_session: 1.5,
    };
    expect(totalsBefore(answer([{ visitors: 2, previous: before }]))).to.deep.equal(before);
    expect(totalsBefore(answer([{ visitors: 2 }]))).to.equal(undefined);
  });

  it('asks for everything in one call, each list once', () => {
    const scene = {
      websiteId: 'web_1',
      timezone: 'Europe/Berlin',
      range: { preset: 'today' },
      granularity: 'hourly',
      filters: [{ dimension: 'path', operator: 'eq', value: '/', of: 'session' }],
      comparison: { period: 'previous', isByWeekday: true },
    } as const;
    const open = PANELS.map(({ lists }) => lists[0]);
    const { path, query, body } = screenRequest(scene, open);
    expect([path, query]).to.deep.equal(['/v1/query', { website_id: 'web_1', timezone: 'Europe/Berlin' }]);
    const parts = body as { parameters: string[]; preset: string; limit?: number }[];
    expect(parts.flatMap(({ parameters }) => parameters).sort()).to.deep.equal(
      ['summary_metrics', 'summary', 'active_stats', ...open.map(({ dataset }) => dataset)].sort(),
    );
    const about = { preset: 'today', compare: 'previous', align: 'weekday' };
    const filters = [{ field: 'path', op: 'eq', value: '/', of: 'session' }];
    for (const part of parts.filter(({ parameters }) => !parameters.includes('active_stats'))) {
      expect(part).to.include(about);
      expect(part).to.deep.include({ filters });
    }
    // Who is there now is asked of everybody.
    expect(parts.find(({ parameters }) => parameters.includes('active_stats'))).not.to.have.any.keys(
      'preset',
      'filters',
      'compare',
    );
    expect(listRequest(scene, 'cities', 100).body).to.deep.equal([
      { parameters: ['cities'], ...about, filters, limit: 102 },
    ]);
    // Whether a new website has ever had an event is asked last: the first totals are those of the range.
    const ofNew = screenRequest(scene, open, true).body as { id: string; parameters: string[] }[];
    expect(ofNew.slice(0, -1)).to.deep.equal(parts);
    expect(ofNew.at(-1)).to.include({ id: EVER, startDate: '2000-01-01' });
    const totals = (queryId: string, events: number) =>
      ({ queryId, data: [answer([{ total_events: events }], 'summary_metrics')] }) as unknown as QueryAnswer;
    const batch: QueryBatch = { results: [totals('numbers', 1), totals(EVER, 2)] };
    expect(eventsOf(answerOf(batch, 'summary_metrics'))).to.equal(1);
    expect(eventsOf(answerOf(batch, 'summary_metrics', EVER))).to.equal(2);
    expect(answerOf(batch, 'summary_metrics', 'other')).to.equal(undefined);
  });
});
