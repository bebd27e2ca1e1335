/** Lists of a call that one scan answers: which they are, their common plan, and the rows of each in its result. */
import type { RawRow } from '../../shared/ports/event-store.ts';
import { isOfSessions } from '../catalogue/measure.ts';
import type { BundledList, OrderTerm, QueryPlan } from './query-plan.ts';
import type { Reach } from './resolve.ts';
import { keyColumn, markOfList, rowNames } from './row-names.ts';

/** With more lists in one statement, processors wait for each other, and the first answer for the last one. */
const MOST_LISTS = 4;
/** No two lists of a bundle are further apart in the call: rows of the later ones are kept until their turn comes. */
const MOST_APART = 16;
/** Longer lists are read by themselves, for the same reason. */
const MOST_ROWS = 1_000;
/** The engine tells sets of keys apart by a number with a bit for each. */
const MOST_KEYS = 40;

/**
 * The plans by what one statement answers, each with its plans in order, and all of them by their first plan. The very first
 * plan stands alone: its answer waits for no other.
 */
export function bundleLists(plans: readonly QueryPlan[]): readonly (readonly QueryPlan[])[] {
  const reaches = new Map<Reach, number>();
  const open = new Map<string, { readonly first: number; readonly plans: QueryPlan[] }>();
  const found: { readonly first: number; readonly plans: QueryPlan[] }[] = [];
  for (const [index, plan] of plans.entries()) {
    const terms = index > 0 && isBundled(plan) ? termsOf(plan, reaches) : null;
    const begun = terms === null ? undefined : open.get(terms);
    if (begun && index - begun.first < MOST_APART) {
      begun.plans.push(plan);
      continue;
    }
    const one = { first: index, plans: [plan] };
    found.push(one);
    if (terms !== null) open.set(terms, one);
  }
  const order = new Map(plans.map((plan, index) => [plan, index]));
  const placeOf = ([first]: readonly QueryPlan[]) => (first ? (order.get(first) ?? 0) : 0);
  return found.flatMap((one) => inEqualParts(one.plans)).sort((a, b) => placeOf(a) - placeOf(b));
}

function inEqualParts(plans: readonly QueryPlan[]): (readonly QueryPlan[])[] {
  const size = Math.ceil(plans.length / Math.ceil(plans.length / MOST_LISTS));
  return Array.from({ length: Math.ceil(plans.length / size) }, (_, at) =>
    plans.slice(at * size, (at + 1) * size),
  );
}

/** Groups of events or sessions, of which only those with events have a row. */
function isBundled(plan: QueryPlan): boolean {
  const { kind, unit, measures, dimensions, bands, everyWebsite, sequence, feed, having, search, limit } =
    plan;
  if (kind !== 'list' || bands || everyWebsite || sequence || feed || having || search) return false;
  if (limit > MOST_ROWS || dimensions.length === 0 || dimensions.length > MOST_KEYS / MOST_LISTS)
    return false;
  return unit === 'sessions' || (unit === 'events' && !Object.values(measures).some(isOfSessions));
}

/** Equal for plans that differ in nothing but their dimensions and columns. */
function termsOf(plan: QueryPlan, reaches: Map<Reach, number>): string {
  const { unit, reach, range, scope, needs, sessions, onlyWhere, filters, goal, measures, totals } = plan;
  const { order, limit, offset, compared } = plan;
  const place = reaches.get(reach) ?? reaches.size;
  reaches.set(reach, place);
  return JSON.stringify([
    ...[unit, place, range, scope, needs, sessions, onlyWhere, filters, goal, measures, totals],
    ...[partsOf(order).map((part) => ('term' in part ? part.term : null)), limit, offset],
    compared?.plan?.range,
  ]);
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
export function planOfBundle(plans: readonly [QueryPlan, ...QueryPlan[]]): QueryPlan {
  const [first] = plans;
  const nameOf = (list: number, dimension: number) => `${list}_${dimension}`;
  const lists = plans.map(
    ({ dimensions, keys }, list): BundledList => ({
      dimensions: dimensions.map((_, index) => nameOf(list, index)),
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
      for (const [column, value] of Object.entries(row)) if (!others.has(column)) own[column] = value;
      return own;
    });
  });
}

/** The columns that a dimension may have in rows. */
function columnsOf(dimension: QueryPlan['dimensions'][number]): string[] {
  return [...new Set([rowNames.dimension(dimension.name), keyColumn(dimension)])];
}
