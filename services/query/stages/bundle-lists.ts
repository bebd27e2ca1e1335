/** Lists of a call that one scan answers: which may, their common plan, and the rows of each in its result. */
import type { RawRow } from '../../shared/ports/event-store.ts';
import { isOfSessions } from '../catalogue/measure.ts';
import type { BundledList, OrderTerm, QueryPlan } from './query-plan.ts';
import { keyColumn, markOfList, rowNames } from './row-names.ts';

/** Lists that go on behind this row are read by themselves: their rows would be kept until their turn comes. */
const MOST_ROWS = 1_000;
/** The engine tells sets of keys apart by a number with a bit for each; this many are of one list. */
const MOST_KEYS = 10;

/** Whether it has groups of events or sessions, of which only those with events have a row. */
export function isBundledList(plan: QueryPlan): boolean {
  const { kind, unit, measures, dimensions, bands, everyWebsite, sequence, feed, having, search } = plan;
  if (kind !== 'list' || bands || everyWebsite || sequence || feed || having || search) return false;
  if (plan.offset + plan.limit > MOST_ROWS) return false;
  if (dimensions.length === 0 || dimensions.length > MOST_KEYS) return false;
  return unit === 'sessions' || (unit === 'events' && !Object.values(measures).some(isOfSessions));
}

/** Equal for lists of the same events that differ in nothing but their dimensions, columns and pages. */
export function termsOfList(plan: QueryPlan): unknown[] {
  const { unit, goal, measures, totals } = plan;
  return [unit, goal, measures, totals, orderBeforeTies(plan)];
}

/** The order by places of dimensions, without those that end every order: all dimensions, ascending. */
function orderBeforeTies({ order, dimensions }: QueryPlan): OrderTerm[] {
  return order.slice(0, -dimensions.length).map(({ key, direction }) => {
    if (!('dimension' in key)) return { key, direction };
    const place = dimensions.findIndex(({ name }) => name === key.dimension);
    return { key: { dimension: `${place}` }, direction };
  });
}

/**
 * The plan of all lists of a bundle. Each has dimensions of its own, which its rows show by their places: those of the
 * order are places, too.
 */
export function planOfLists(plans: readonly [QueryPlan, ...QueryPlan[]]): QueryPlan {
  const [first] = plans;
  const nameOf = (list: number, dimension: number) => `${list}_${dimension}`;
  const lists = plans.map(
    ({ dimensions, limit, offset, keys }, list): BundledList => ({
      dimensions: dimensions.map((_, index) => nameOf(list, index)),
      limit,
      offset,
      ...(keys && { keys }),
    }),
  );
  const dimensions = plans.flatMap((plan, list) =>
    plan.dimensions.map((dimension, index) => ({ ...dimension, name: nameOf(list, index) })),
  );
  const ties = placesOf(lists).map((place): OrderTerm => ({ key: { dimension: place }, direction: 'asc' }));
  const { keys: _, ...shared } = first;
  return { ...shared, dimensions, order: [...orderBeforeTies(first), ...ties], lists };
}

/** The names under which rows of any list show its dimensions; where a list has fewer they are null. */
export function placesOf(lists: readonly BundledList[]): string[] {
  const most = Math.max(...lists.map(({ dimensions }) => dimensions.length));
  return Array.from({ length: most }, (_, place) => `${place}`);
}

/** The rows of each list in those of the bundle, as its own statement would return them. */
export function rowsOfLists(
  plans: readonly QueryPlan[],
  { lists = [] }: QueryPlan,
  rows: readonly RawRow[],
): RawRow[][] {
  const byMark = new Map<RawRow[string] | undefined, RawRow[]>();
  for (const row of rows) {
    const mark = row[rowNames.list];
    const known = byMark.get(mark);
    if (known) known.push(row);
    else byMark.set(mark, [row]);
  }
  const others = new Set<string>([rowNames.list, rowNames.place]);
  for (const place of placesOf(lists)) others.add(rowNames.dimension(place)).add(rowNames.key(place));
  const shared = Object.keys(rows[0] ?? {}).filter((column) => !others.has(column));
  return plans.map(({ dimensions }, index) => {
    const renamed = dimensions.flatMap((dimension, place) =>
      columnsOf(dimension).map((column, at) => [column, columnsOf({ ...dimension, name: `${place}` })[at]]),
    ) as [string, string][];
    const own = byMark.get(markOfList(lists, index)) ?? [];
    own.sort((a, b) => Number(a[rowNames.place]) - Number(b[rowNames.place]));
    return own.map((row) => {
      const named: Record<string, RawRow[string]> = {};
      for (const [column, from] of renamed) named[column] = row[from] ?? null;
      for (const column of shared) named[column] = row[column] ?? null;
      return named;
    });
  });
}

/** The columns that a dimension may have in rows. */
function columnsOf(dimension: QueryPlan['dimensions'][number]): string[] {
  return [...new Set([rowNames.dimension(dimension.name), keyColumn(dimension)])];
}
