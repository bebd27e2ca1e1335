/** Which plans one statement answers together: those that read the same events in the same way, a few at a time. */
import { expect } from 'chai';
import { planOfLists } from '../../../../services/query/stages/bundle-lists.ts';
import { bundlePlans } from '../../../../services/query/stages/bundle-plans.ts';
import type { QueryPlan } from '../../../../services/query/stages/query-plan.ts';

const REACH = { organizationId: 'org_a', websiteIds: ['web_a'], organizationEvents: false };

/** A list by one column, largest first, then by what it is grouped by. */
function listOf(column: 'path' | 'country' | 'city', changed: Partial<QueryPlan> = {}): QueryPlan {
  return {
    kind: 'list',
    unit: 'events',
    reach: REACH,
    range: { from: 0, to: 1 },
    scope: { events: 'all' },
    arguments: {},
    filters: [],
    dimensions: [{ name: 'name', source: { column }, missing: null }],
    measures: { events: { kind: 'count' } },
    totals: [],
    buckets: [],
    order: [
      { key: { count: 'events' }, direction: 'desc' },
      { key: { dimension: 'name' }, direction: 'asc' },
    ],
    limit: 10,
    offset: 0,
    columns: [],
    ...changed,
  };
}

/** The places of the plans in each bundle. */
function placesOf(plans: readonly QueryPlan[], isFirstAlone = true): number[][] {
  return bundlePlans(plans, { isFirstAlone }).map((bundle) => bundle.map((plan) => plans.indexOf(plan)));
}

const lists = (count: number) => Array.from({ length: count }, () => listOf('path'));

describe('bundles of lists', () => {
  it('leave the first plan alone, and hold the others in equal parts, in the order of their first plans', () => {
    expect(placesOf([])).to.deep.equal([]);
    expect(placesOf(lists(3))).to.deep.equal([[0], [1, 2]]);
    expect(placesOf(lists(7))).to.deep.equal([[0], [1, 2, 3], [4, 5, 6]]);
    const series = listOf('path', { kind: 'series' });
    expect(placesOf([series, ...lists(2), series, ...lists(3)].map((plan) => ({ ...plan })))).to.deep.equal([
      [0],
      [1, 2, 4],
      [3],
      [5, 6],
    ]);
  });

  it('hold the first plan too where no answer is sent before the others', () => {
    expect(placesOf(lists(3), false)).to.deep.equal([[0, 1, 2]]);
  });

  it('hold no lists that are far apart, whose rows would be kept meanwhile', () => {
    const others = Array.from({ length: 20 }, () => listOf('path', { kind: 'row' }));
    const places = placesOf([...lists(2), ...others, ...lists(2)]);
    expect(places.filter(({ length }) => length > 1)).to.deep.equal([[22, 23]]);
    expect(places.flat()).to.deep.equal(Array.from({ length: 24 }, (_, place) => place));
  });

  it('hold no list that differs in anything but what it is grouped by', () => {
    const changes: Partial<QueryPlan>[] = [
      { reach: { ...REACH, websiteIds: ['web_b'] } },
      { range: { from: 0, to: 2 } },
      { scope: { events: 'only', names: ['screen_view'] } },
      { needs: 'country' },
      { filters: [{ on: { column: 'path' }, op: 'eq', values: ['/'], of: 'event' }] },
      { onlyWhere: { on: { column: 'path' }, op: 'eq', values: ['/'], of: 'event' } },
      { measures: { events: { kind: 'count' }, visitors: { kind: 'distinct', column: 'anonymous_id' } } },
      { totals: ['events'] },
      { order: [{ key: { dimension: 'name' }, direction: 'asc' }] },
      { unit: 'sessions' },
    ];
    for (const change of changes) {
      const places = placesOf([listOf('path'), listOf('country'), listOf('city', change)]);
      expect(places, JSON.stringify(change)).to.deep.equal([[0], [1], [2]]);
    }
  });

  it('hold no list of other kinds, nor a long one', () => {
    const changes: Partial<QueryPlan>[] = [
      { unit: 'eachEvent' },
      { unit: 'properties' },
      { bands: [{ label: 'all', below: Number.POSITIVE_INFINITY }] },
      { everyWebsite: ['web_a'] },
      { having: { measure: 'events', atLeast: 2 } },
      { search: { text: 'a', dimensions: ['name'] } },
      { measures: { entries: { kind: 'sessionsBy', page: 'first' } } },
      { sequence: { kind: 'goals', goals: [] } },
      { feed: { digest: '', goesOn: false, given: new Map(), take: 1 } },
      { limit: 1_001 },
      { limit: 10, offset: 991 },
    ];
    for (const change of changes) {
      const plans = [listOf('path'), listOf('country', change), listOf('city', change)];
      expect(placesOf(plans), JSON.stringify(change)).to.deep.equal([[0], [1], [2]]);
    }
  });

  it('order the rows of each list by its own dimensions, by their places, and cut each to its own page', () => {
    const dimensions = (['city', 'country'] as const).map((column) => ({
      ...{ name: column, source: { column }, missing: null },
    }));
    const order: QueryPlan['order'] = [
      { key: { dimension: 'city' }, direction: 'desc' },
      { key: { dimension: 'city' }, direction: 'asc' },
      { key: { dimension: 'country' }, direction: 'asc' },
    ];
    const path = listOf('path', {
      order: [
        { key: { dimension: 'name' }, direction: 'desc' },
        { key: { dimension: 'name' }, direction: 'asc' },
      ],
    });
    const city = listOf('city', { dimensions, order, limit: 20, offset: 40 });
    expect(placesOf([path, city], false)).to.deep.equal([[0, 1]]);
    const planned = planOfLists([path, city]);
    expect(planned.dimensions.map(({ name, source }) => [name, source])).to.deep.equal([
      ['0_0', { column: 'path' }],
      ['1_0', { column: 'city' }],
      ['1_1', { column: 'country' }],
    ]);
    expect(planned.lists).to.deep.equal([
      { dimensions: ['0_0'], limit: 10, offset: 0 },
      { dimensions: ['1_0', '1_1'], limit: 20, offset: 40 },
    ]);
    expect(planned.order).to.deep.equal([
      { key: { dimension: '0' }, direction: 'desc' },
      { key: { dimension: '0' }, direction: 'asc' },
      { key: { dimension: '1' }, direction: 'asc' },
    ]);
  });

  it('hold no list that is ordered by a dimension in another place', () => {
    const country = listOf('country', {
      dimensions: [
        { name: 'code', source: { column: 'country' }, missing: null },
        { name: 'name', source: { column: 'country' }, missing: null },
      ],
      order: [
        { key: { dimension: 'name' }, direction: 'desc' },
        { key: { dimension: 'code' }, direction: 'asc' },
        { key: { dimension: 'name' }, direction: 'asc' },
      ],
    });
    const path = listOf('path', {
      order: [
        { key: { dimension: 'name' }, direction: 'desc' },
        { key: { dimension: 'name' }, direction: 'asc' },
      ],
    });
    expect(placesOf([path, country], false)).to.deep.equal([[0], [1]]);
  });
});

describe('bundles of rows and series', () => {
  const bucketsOf = (count: number) =>
    Array.from({ length: count }, (_, from) => ({ from, to: from + 1, start: from }) as never);
  const EVENTS = { kind: 'count' } as const;
  const VISITORS = { kind: 'distinct', column: 'anonymous_id' } as const;
  const seriesOf = (changed: Partial<QueryPlan> = {}) =>
    listOf('path', { kind: 'series', dimensions: [], order: [], buckets: bucketsOf(3), ...changed });
  const row = (changed: Partial<QueryPlan> = {}) =>
    seriesOf({ kind: 'row', buckets: [], measures: { events: EVENTS, visitors: VISITORS }, ...changed });

  it('hold those of the same events whose measures are among those of one of them', () => {
    expect(placesOf([row(), seriesOf(), listOf('path')], false)).to.deep.equal([[0, 1], [2]]);
    const others = { measures: { visitors: VISITORS } };
    expect(placesOf([row(), seriesOf(others), seriesOf()], false)).to.deep.equal([[0, 1], [2]]);
    const renamed = { measures: { events: VISITORS } };
    expect(placesOf([row(), seriesOf(renamed)], false)).to.deep.equal([[0], [1]]);
  });

  it('leave the first plan alone where its answer is sent first', () => {
    expect(placesOf([row(), seriesOf(), row()])).to.deep.equal([[0], [1, 2]]);
  });

  it('hold none that differs in events, that has groups, or that is long', () => {
    const changes: Partial<QueryPlan>[] = [
      { reach: { ...REACH, websiteIds: ['web_b'] } },
      { range: { from: 0, to: 2 } },
      { scope: { events: 'only', names: ['screen_view'] } },
      { sessions: { pageviews: 'some' } },
      { filters: [{ on: { column: 'path' }, op: 'eq', values: ['/'], of: 'event' }] },
      { unit: 'sessions' },
      { dimensions: [{ name: 'name', source: { column: 'path' }, missing: null }] },
      { everyWebsite: ['web_a'] },
      { sequence: { kind: 'goals', goals: [] } },
      { buckets: bucketsOf(1_001) },
    ];
    for (const change of changes) {
      expect(placesOf([row(), seriesOf(change)], false), JSON.stringify(change).slice(0, 80)).to.deep.equal([
        [0],
        [1],
      ]);
    }
  });
});
