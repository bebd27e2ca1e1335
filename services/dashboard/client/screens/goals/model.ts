/** What the screens of goals ask of the API, and the places of goals that are moved. */
import type { GoalView } from '../../api/wire.ts';
import type { Listing } from '../../drill/listing.ts';
import { narrowedFields } from '../../drill/narrowed-fields.ts';
import type { Series } from '../../drill/series.ts';
import type { Total } from '../../drill/total.ts';
import { ALL_GOALS } from '../../website/all-goals.ts';
import { type Question, type Scene, sceneFields } from '../../website/scene.ts';
import type { Group } from '../paths/groups.ts';
import { inCurrency } from '../paths/in-currency.ts';
import { literally } from '../paths/sessions-behind.ts';

/** How far behind the last goal a new one stands, as the API does it. */
const STEP = 1_000;
const LAST_POSITION = 999_999_999;

/** All goals of a website, in their order unless somebody sorts them. */
export const GOALS: Listing = {
  dataset: 'goals',
  sort: '',
  rows: ALL_GOALS.rows,
  reading: ALL_GOALS,
  columns: [
    { key: 'name', kind: 'text' },
    { key: 'conversions', kind: 'count' },
    { key: 'visitors', kind: 'count' },
    { key: 'sessions', kind: 'count' },
    { key: 'conversion_rate', kind: 'percent' },
    { key: 'revenue', kind: 'decimal' },
  ],
};

export interface Placed {
  readonly id: string;
  readonly position: number;
}

/**
 * The positions to write so that the goals stand in this order, of which the one at `at` was moved: its own, between two others, and where
 * there is no room, those of the next ones too.
 */
export function positionsFor(order: readonly Placed[], at: number): readonly Placed[] {
  const changes: Placed[] = [];
  let lower = order[at - 1]?.position ?? -1;
  for (const [index, { id, position }] of order.entries()) {
    if (index < at) continue;
    if (index > at && position > lower) break;
    lower = between(lower, order[index + 1]?.position);
    changes.push({ id, position: lower });
  }
  if (lower <= LAST_POSITION) return changes;
  return order
    .map(({ id }, index) => ({ id, position: index * STEP }))
    .filter(({ position }, index) => position !== order[index]?.position);
}

function between(lower: number, upper: number | undefined): number {
  if (upper === undefined) return lower < 0 ? 0 : Math.max(lower + 1, Math.min(lower + STEP, LAST_POSITION));
  return upper - lower > 1 ? lower + Math.floor((upper - lower) / 2) : lower + 1;
}

/** Names of events that the series of custom events leaves out. */
export const RESERVED: readonly string[] = [
  ...['screen_view', 'page_exit', 'outgoing_link', 'error', 'web_vitals', 'link_click'],
];

function isMatched(name: string, { op, value }: GoalView['match']): boolean {
  const [text = ''] = [value].flat();
  switch (op) {
    case 'eq':
    case 'in':
      return [value].flat().includes(name);
    case 'contains':
      return name.includes(text);
    case 'starts_with':
      return name.startsWith(text);
    case 'ends_with':
      return name.endsWith(text);
    case 'matches':
      return isFound(name, text);
  }
}

function isFound(name: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    // Written for another engine: it may match anything.
    return true;
  }
}

/** The series that has the events of a goal; undefined: none has them all. */
export function seriesOf({ type, match }: Pick<GoalView, 'type' | 'match'>): Series | undefined {
  if (type === 'page') {
    return { dataset: 'summary', columns: [{ key: 'pageviews', kind: 'count' }] };
  }
  if (RESERVED.some((name) => isMatched(name, match))) return undefined;
  return { dataset: 'custom_events_trends', columns: [{ key: 'total_events', kind: 'count' }] };
}

/** `dataset`: of {@link seriesOf}. */
export const seriesQuestion = (scene: Scene, goal: GoalView, dataset: string): Question => ({
  id: 'series',
  parameters: [dataset],
  ...narrowedFields(scene, goalFilters(goal)),
  granularity: scene.granularity,
});

/** The filters that keep the events of a goal alone. */
function goalFilters({ type, match: { op, value }, conditions = [] }: GoalView): readonly object[] {
  const field = type === 'page' ? 'path' : 'event_name';
  // Filters have no operator for an end.
  const isEnd = op === 'ends_with';
  return [
    { field, op: isEnd ? 'matches' : op, value: isEnd ? `${literally(String(value))}$` : value },
    ...conditions,
  ];
}

/** What the events of a goal were worth. */
export const revenueOf = ({ currency }: GoalView): Series => ({
  dataset: REVENUE,
  columns: inCurrency(
    [
      { key: 'revenue', kind: 'decimal' },
      { key: 'orders', kind: 'count' },
    ],
    currency,
  ) as Series['columns'],
});
const REVENUE = 'revenue_over_time';

export const revenueQuestion = (scene: Scene, { id }: GoalView): Question => ({
  id: 'revenue',
  parameters: [{ name: REVENUE, goalId: id }],
  ...sceneFields(scene),
  granularity: scene.granularity,
});

const TOTALS: readonly Total[] = [
  ...(['conversions', 'visitors', 'sessions'] as const).map(
    (key): Total => ({ dataset: 'goals', key, kind: 'count' }),
  ),
  // Of nobody at all there is no rate.
  {
    ...{ dataset: 'goals', key: 'conversion_rate', kind: 'percent' },
    ...{ needs: 'visitors', needsOf: 'summary_metrics' },
  },
];

export const totalsOf = ({ revenueProperty, currency }: GoalView): readonly Total[] =>
  revenueProperty === null
    ? TOTALS
    : inCurrency([...TOTALS, { dataset: 'goals', key: 'revenue', kind: 'decimal' }], currency);

export const totalsQuestion = (scene: Scene, { id }: GoalView): Question => ({
  id: 'totals',
  parameters: [{ name: 'goals', goalId: id }, 'summary_metrics'],
  ...sceneFields(scene),
});

/** How many visitors there are, of whom the rates of all goals are. */
export const presentQuestion = (scene: Scene): Question => ({
  id: 'present',
  parameters: ['summary_metrics'],
  ...sceneFields({ ...scene, comparison: undefined }),
});

/** One goal by a dimension. */
export function groupListing({ id, revenueProperty, currency }: GoalView, { column }: Group): Listing {
  return {
    id: 'groups',
    dataset: 'goals',
    arguments: { goalId: id },
    groupBy: [column.key],
    columns: [
      column,
      { key: 'visitors', kind: 'count' },
      { key: 'conversions', kind: 'count' },
      { key: 'conversion_rate', kind: 'percent' },
      ...(revenueProperty === null ? [] : inCurrency([{ key: 'revenue', kind: 'decimal' }], currency)),
    ],
    sort: '-visitors',
  };
}
