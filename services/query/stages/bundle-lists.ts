/** Lists of a call that one scan answers: which may, their common plan, and the rows of each in its result. */
import type { RawRow } from '../../shared/ports/event-store.ts';
import { isOfSessions } from '../catalogue/measure.ts';
import type { BundledList, OrderTerm, QueryPlan } from './query-plan.ts';
import { keyColumn, markOfList, rowNames } from './row-names.ts';

/** Longer lists are read by themselves: their rows would be kept until their turn comes. */
const MOST_ROWS = 1_000;
/** The engine tells sets of keys apart by a number with a bit for each; this many are of one list. */
const MOST_KEYS = 10;

/** Whether it has groups of events or sessions, of which only those with events have a row. */
export function isBundledList(plan: QueryPlan): boolean {
  const { kind, unit, measures, dimensions, bands, everyWebsite, sequence, feed, having, search, limit } =
    plan;
  if (kind !== 'list' || bands || everyWebsite || sequence || feed || having || search) return false;
  if (limit > MOST_ROWS || dimensions.length === 0 || dimensions.length > MOST_KEYS) return false;
  return unit === 'sessions' || (unit === 'events' && !Object.values(measures).some(isOfSessions));
}

/** Equal for lists of the same events that differ in nothing but their dimensions, columns and pages. */
export function termsOfList({ unit, goal, measures, totals, order }: QueryPlan): unknown[] {
  return [
    ...[unit, goal, measures, totals],
    partsOf(order).map((part) => ('term' in part ? part.term : null)),
  ];
}

/** A term of an order, or those of dimensions that follow each other. */
type OrderPart = { readonly term: OrderTerm } | { readonly dimensions: OrderTerm[] };

function partsOf(order: readonly OrderTerm[]): OrderPart[] {
  const parts: OrderPart[] = [];
  for (const term of order) {
    const last = parts.at(-1);
    if (!('dimension' in term.key)) parts.push({ term });
    else if (last && 'dimensions' in last) last.dimensions.push(term);
    else parts.push({ dimensions: [term] });
  }
  return parts;
}

/** The plan of all lists of a bundle. Each has dimensions of its own there, which are null in the rows of the others. */
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
  const { keys: _, ...shared } = first;
  return { ...shared, dimensions, order: orderOf(plans, nameOf), lists };
}

/** Of dimensions those of all lists: what is null in every row of a list does not order it. */
function orderOf(
  plans: readonly [QueryPlan, ...QueryPlan[]],
  nameOf: (list: number, dimension: number) => string,
): OrderTerm[] {
  const renamed = plans.map(({ order, dimensions }, list) => {
    const names = dimensions.map(({ name }) => name);
    return partsOf(
      order.map(({ key, direction }) => ({
        key: 'dimension' in key ? { dimension: nameOf(list, names.indexOf(key.dimension)) } : key,
        direction,
      })),
    );
  });
  const [first = []] = renamed;
  return first.flatMap((part, at) => {
    if ('term' in part) return [part.term];
    return renamed.flatMap((parts) => {
      const own = parts[at];
      return own && 'dimensions' in own ? own.dimensions : [];
    });
  });
}

/** The rows of each list in those of the bundle, as its own statement would return them. */
export function rowsOfLists(
  plans: readonly QueryPlan[],
  { lists = [], dimensions: all }: QueryPlan,
  rows: readonly RawRow[],
): RawRow[][] {
  const byMark = new Map<RawRow[string] | undefined, RawRow[]>();
  for (const row of rows) {
    const mark = row[rowNames.list];
    const known = byMark.get(mark);
    if (known) known.push(row);
    else byMark.set(mark, [row]);
  }
  const others = new Set([rowNames.list, ...all.flatMap(columnsOf)]);
  const shared = Object.keys(rows[0] ?? {}).filter((column) => !others.has(column));
  return plans.map(({ dimensions }, index) => {
    const { dimensions: names = [] } = lists[index] ?? {};
    const renamed = dimensions.flatMap((dimension, at) => {
      const name = names[at];
      const from = columnsOf({ ...dimension, name: name ?? '' });
      return columnsOf(dimension).map((column, place) => [column, from[place] ?? ''] as const);
    });
    return (byMark.get(markOfList(lists, index)) ?? []).map((row) => {
      const own: Record<string, RawRow[string]> = {};
      for (const [column, from] of renamed) own[column] = row[from] ?? null;
      for (const column of shared) own[column] = row[column] ?? null;
      return own;
    });
  });
}

/** The columns that a dimension may have in rows. */
function columnsOf(dimension: QueryPlan['dimensions'][number]): string[] {
  return [...new Set([rowNames.dimension(dimension.name), keyColumn(dimension)])];
}
