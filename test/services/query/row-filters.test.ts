/** Every value that a list shows filters back to its own row, by what GET /v1/query/types says of its column. */
import { expect } from 'chai';
import { DATASETS } from '../../../services/query/datasets/index.ts';
import { asked, SOME_ARGUMENTS } from '../../support/query/asked-datasets.ts';
import { eventRecord } from '../../support/query/event.ts';
import { GOLDEN_LOG, GOLDEN_NOW } from '../../support/query/golden-log.ts';
import { GOLDEN_SHOP_LOG } from '../../support/query/golden-shop-log.ts';
import { filterOfRow, type ShownFilter } from '../../support/query/row-filter.ts';
import {
  type ShownDataset,
  type StartedQueryService,
  startQueryService,
} from '../../support/query/start-query-service.ts';
import { storedGoal } from '../../support/query/stored-goal.ts';

const YEARS = { startDate: '2024-11-01', endDate: '2025-04-30', limit: 1000 };
/** Series of several lines are filtered by a line. */
const LISTS = DATASETS.filter(({ kind, dimensions }) => kind === 'list' || dimensions.length > 0);

/** The columns of a list that show no text of an event. */
const WITHOUT = [
  'custom_events_recent.properties',
  'session_duration_distribution.duration_range',
  // The latest or first referrer of a row, which the events of its own site may have too.
  'top_referrers.referrer',
  'link_top_referrers.referrer',
  'sessions.referrer',
  'profiles.referrer',
  'visitor_sessions.referrer',
  'session_events.properties',
  'events_live.properties',
  // What the goal is, not its events.
  'goals.name',
  'goals.goal_id',
  'goals.currency',
  // What several events together are.
  'funnel.name',
  'journey.from_type',
  'journey.from_name',
  'journey.type',
  'journey.name',
  // The one that was asked for, else that of the events and of none.
  'revenue.currency',
  // The latest one of a page, which may have had others.
  'page_details.title',
];

/** Pageviews of the last minutes. */
const PRESENT = [
  { at: '2025-04-02T09:58:00.000Z', path: '/', country: 'DE', referrer_host: 'google.com' },
  { at: '2025-04-02T09:59:00.000Z', path: null, title: 'Now', city: 'Paris', properties: '{"plan":"pro"}' },
].map((fields) => eventRecord({ anonymous_id: 'present', session_id: 'p1', ...fields }));

const GIVEN = {
  ...SOME_ARGUMENTS,
  visitor_sessions: { visitorId: 'anna' },
  session_events: { sessionId: 'a1' },
};

describe('rows of lists and their filters', () => {
  let service: StartedQueryService;
  let fields: Record<string, { name: string; type: string; filter?: ShownFilter }[]>;
  before(async () => {
    service = await startQueryService({
      log: [...GOLDEN_LOG, ...GOLDEN_SHOP_LOG, ...PRESENT],
      now: GOLDEN_NOW,
    });
    const signup = { type: 'event', match: { op: 'eq', value: 'signup' } } as const;
    await service.documents.goals.insert(storedGoal('gol_1', { name: 'Signup', position: 0, ...signup }));
    const { body } = await service.call('/v1/query/types?include_meta=true', { as: 'public' });
    const configs = body.configs as Record<string, { meta: { output_fields: never } }>;
    fields = Object.fromEntries(
      Object.entries(configs).map(([name, { meta }]) => [name, meta.output_fields]),
    );
  });
  after(() => service.close());

  /** The rows of the dataset under each of these filters. */
  const rowsUnder = async (name: string, filters: readonly object[]): Promise<ShownDataset['data'][]> => {
    const results: { data: ShownDataset[] }[] = [];
    for (let at = 0; at < filters.length; at += 50) {
      const body = filters.slice(at, at + 50).map((filter) => ({
        parameters: [asked(name, GIVEN)],
        ...YEARS,
        filters: [filter].flat(),
      }));
      const answer = await service.query(body);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      results.push(...(answer.body.results as typeof results));
    }
    return results.flatMap(({ data }) => {
      const [only] = data;
      expect(only?.error).to.equal(undefined);
      return only ? [only.data] : [];
    });
  };

  it('every text of a list has a filter, save those that stand for several events', () => {
    const without = LISTS.flatMap(({ names }) =>
      (fields[names[0]] ?? [])
        .filter(({ type, filter }) => (type === 'string' || type === 'object') && !filter)
        .map(({ name }) => `${names[0]}.${name}`),
    );
    expect(without).to.have.members(WITHOUT);
  });

  for (const { names, columns } of LISTS) {
    it(`${names[0]}: each row stays as it is under the filter of each of its values`, async () => {
      const [name] = names;
      const [rows = []] = await rowsUnder(name, [[]]);
      expect(rows).to.not.be.empty;
      const cases = (fields[name] ?? []).flatMap(({ name: column, filter }) =>
        filter === undefined
          ? []
          : rows.map((row) => ({ column, row, filter: filterOfRow(filter, column, row) })),
      );
      const answers = await rowsUnder(
        name,
        cases.map(({ filter }) => filter),
      );
      // A share is of the filtered total.
      const shares = columns.filter(({ value }) => value.from === 'share').map((column) => column.name);
      const withoutShares = (row: object) =>
        Object.fromEntries(Object.entries(row).filter(([column]) => !shares.includes(column)));
      for (const [index, { row, filter }] of cases.entries()) {
        const found = answers[index]?.map(withoutShares);
        expect(found, JSON.stringify(filter)).to.deep.include(withoutShares(row));
      }
      for (const [index, { column, row, filter }] of cases.entries()) {
        const isOfEvents = !('of' in filter) && !JSON.stringify(filter).includes('"of"');
        if (!isOfEvents || column.startsWith('property_')) continue;
        const shown = new Set(answers[index]?.map((other) => other[column]));
        expect([...shown], JSON.stringify(filter)).to.deep.equal([row[column]]);
      }
    });
  }
});
