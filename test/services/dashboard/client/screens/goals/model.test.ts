/** Checks what the screens of goals ask, and where a goal goes that is moved. */
import { expect } from 'chai';
import type { GoalView } from '../../../../../../services/dashboard/client/api/wire.ts';
import { listingQuestion } from '../../../../../../services/dashboard/client/drill/listing.ts';
import {
  GOALS,
  groupListing,
  positionsFor,
  RESERVED,
  revenueOf,
  revenueQuestion,
  seriesOf,
  seriesQuestion,
  totalsOf,
  totalsQuestion,
} from '../../../../../../services/dashboard/client/screens/goals/model.ts';
import { GROUPS } from '../../../../../../services/dashboard/client/screens/paths/groups.ts';
import type { Scene } from '../../../../../../services/dashboard/client/website/scene.ts';
import { RESERVED_EVENT_NAMES } from '../../../../../../services/shared/model/event-record.ts';
import {
  expectListingKnown,
  expectSeriesKnown,
  expectTotalsKnown,
} from '../../../../../support/listing-in-catalogue.ts';

const SCENE: Scene = {
  ...{ websiteId: 'web_1', timezone: 'UTC', granularity: 'daily', comparison: undefined },
  range: { preset: 'today' },
  filters: [{ dimension: 'country', operator: 'eq', value: 'DE', of: 'session' }],
};
const FILTER = { field: 'country', op: 'eq', value: 'DE', of: 'session' };

const goal = (id: string, more: Partial<GoalView> = {}) =>
  ({
    ...{ id, name: id, type: 'event', match: { op: 'eq', value: 'signup' }, conditions: [], position: 0 },
    ...{ revenueProperty: null, currency: null },
    ...more,
  }) as GoalView;

describe('the model of goals', () => {
  it('names datasets, columns and groups that the API has', () => {
    expectListingKnown(GOALS);
    const worth = goal('a', { revenueProperty: 'total' });
    for (const type of ['page', 'event'] as const)
      expectSeriesKnown(seriesOf(goal('a', { type })) ?? revenueOf(worth));
    expectSeriesKnown(revenueOf(worth));
    expectTotalsKnown(totalsOf(worth));
    for (const group of GROUPS) expectListingKnown(groupListing(worth, group));
  });

  it('asks for goals in their order page by page, sorted where somebody sorts, and for one by its identifier', () => {
    const about = { id: 'goals', parameters: ['goals'], preset: 'today', filters: [FILTER], limit: 100 };
    const state = { sort: GOALS.sort, search: '', page: 2 };
    expect(listingQuestion(SCENE, GOALS, state)).to.deep.equal({ ...about, page: 2 });
    expect(listingQuestion(SCENE, GOALS, { ...state, sort: '-visitors', page: 1 })).to.deep.equal({
      ...{ ...about, page: 1, sortBy: 'visitors', sortOrder: 'desc' },
    });
    expect(totalsQuestion(SCENE, goal('gol_1')).parameters).to.deep.equal([
      { name: 'goals', goalId: 'gol_1' },
      'summary_metrics',
    ]);
  });

  it('asks for the events of a goal over time by filters that keep them alone', () => {
    const conditions = [{ field: 'properties.plan', op: 'eq', value: 'pro' }] as const;
    expect(
      seriesQuestion(SCENE, goal('a', { conditions: [...conditions] }), 'custom_events_trends'),
    ).to.deep.equal({
      ...{ id: 'series', parameters: ['custom_events_trends'], preset: 'today', granularity: 'daily' },
      filters: [FILTER, { field: 'event_name', op: 'eq', value: 'signup' }, ...conditions],
    });
    const page = goal('a', { type: 'page', match: { op: 'ends_with', value: '/a.b' } });
    expect(seriesQuestion({ ...SCENE, filters: [] }, page, 'summary')).to.deep.include({
      parameters: ['summary'],
      filters: [{ field: 'path', op: 'matches', value: '/a\\.b$' }],
    });
    expect(revenueQuestion(SCENE, goal('a', { revenueProperty: 'total' }))).to.deep.include({
      parameters: [{ name: 'revenue_over_time', goalId: 'a' }],
    });
  });

  it('draws no line of events that the series leaves out', () => {
    expect(RESERVED).to.deep.equal(RESERVED_EVENT_NAMES);
    const lines = (op: GoalView['match']['op'], value: string | string[]) =>
      seriesOf(goal('a', { match: { op, value } }))?.dataset;
    expect(lines('eq', 'outgoing_link')).to.equal(undefined);
    expect(lines('in', ['signup', 'error'])).to.equal(undefined);
    expect(lines('contains', 'link')).to.equal(undefined);
    expect(lines('starts_with', 'web_')).to.equal(undefined);
    expect(lines('ends_with', '_view')).to.equal(undefined);
    expect(lines('matches', '^err')).to.equal(undefined);
    // Of a syntax that browsers do not read, it may be any.
    expect(lines('matches', '(?i)signup(')).to.equal(undefined);
    expect(lines('matches', '^sign')).to.equal('custom_events_trends');
    expect(lines('in', ['signup', 'purchase'])).to.equal('custom_events_trends');
  });
});

describe('the places of goals', () => {
  const at = (...positions: number[]) => positions.map((position, index) => ({ id: `g${index}`, position }));
  /** The positions of all after the goal at `from` was put to the place `to`, in the order of the API, and how many were written. */
  function placed(positions: number[], from: number, to: number): [string[], number] {
    const goals = at(...positions);
    const order = goals.toSpliced(from, 1).toSpliced(to, 0, ...goals.slice(from, from + 1));
    const changes = positionsFor(order, to);
    const now = order.map((each) => changes.find(({ id }) => id === each.id) ?? each);
    const ascending = now.every(
      ({ position }, index) => index === 0 || position >= (now[index - 1]?.position ?? 0),
    );
    expect(ascending, JSON.stringify(now)).to.equal(true);
    // What was moved stands strictly between its neighbours: of one position, the older goal would be first.
    expect(new Set(now.slice(Math.max(0, to - 1), to + 2).map(({ position }) => position)).size).to.equal(
      Math.min(now.length, to + 2) - Math.max(0, to - 1),
    );
    return [now.map(({ id, position }) => `${id} ${position}`), changes.length];
  }

  it('moves a goal by one write where there is room', () => {
    expect(placed([0, 1_000, 2_000], 2, 1)).to.deep.equal([['g0 0', 'g2 500', 'g1 1000'], 1]);
    expect(placed([0, 1_000, 2_000], 0, 1)).to.deep.equal([['g1 1000', 'g0 1500', 'g2 2000'], 1]);
    expect(placed([0, 1_000, 2_000], 1, 2)).to.deep.equal([['g0 0', 'g2 2000', 'g1 3000'], 1]);
    expect(placed([10, 1_000], 1, 0)).to.deep.equal([['g1 4', 'g0 10'], 1]);
  });

  it('moves the next ones too where there is none', () => {
    expect(placed([0, 1_000, 2_000], 1, 0)).to.deep.equal([['g1 0', 'g0 1000', 'g2 2000'], 2]);
    expect(placed([5, 6, 7, 900], 2, 1)).to.deep.equal([['g0 5', 'g2 6', 'g1 453', 'g3 900'], 2]);
    expect(placed([3, 3, 3], 2, 1)).to.deep.equal([['g0 3', 'g2 4', 'g1 1004'], 2]);
    const last = 999_999_999;
    expect(placed([0, last - 1, last], 1, 2)).to.deep.equal([['g0 0', 'g2 1000', 'g1 2000'], 2]);
  });
});
