/** Rows and series of a call that one scan answers: which may, their common plan, and the rows of each in its result. */
import { isDeepStrictEqual } from 'node:util';
import type { RawRow } from '../../shared/ports/event-store.ts';
import type { QueryPlan } from './query-plan.ts';
import { markOfList, rowNames } from './row-names.ts';

/** Longer series are read by themselves: their rows would be kept until their turn comes. */
const MOST_BUCKETS = 1_000;

/** Whether it counts events and sessions of all the range or of its buckets, without groups in these. */
export function isBundledSeries({
  kind,
  unit,
  dimensions,
  everyWebsite,
  sequence,
  goal,
  buckets,
}: QueryPlan): boolean {
  if (kind === 'list' || unit !== 'events' || everyWebsite || sequence || goal) return false;
  return dimensions.length === 0 && buckets.length <= MOST_BUCKETS;
}

/**
 * Whether the measures of the last plan are among those of each other one, or those among its own: else the statement would
 * compute some for a plan that has them not. Lists with equal terms have equal measures.
 */
export function shareMeasures(plans: readonly QueryPlan[]): boolean {
  const last = plans.at(-1);
  if (last === undefined || last.kind === 'list') return true;
  return plans.every(({ measures }) => isAmong(measures, last.measures) || isAmong(last.measures, measures));
}

function isAmong(few: QueryPlan['measures'], many: QueryPlan['measures']): boolean {
  return Object.entries(few).every(([name, measure]) => isDeepStrictEqual(measure, many[name]));
}

/** The plan of all of them. Its rows have the measures of all. */
export function planOfSeries(plans: readonly [QueryPlan, ...QueryPlan[]]): QueryPlan {
  const measures = Object.assign({}, ...plans.map((plan) => plan.measures)) as QueryPlan['measures'];
  return { ...plans[0], kind: 'series', buckets: [], measures, series: plans.map(({ buckets }) => buckets) };
}

/** The rows of each in those of the bundle, as its own statement would return them, perhaps with more measures. */
export function rowsOfSeries(plans: readonly QueryPlan[], rows: readonly RawRow[]): RawRow[][] {
  const sets = setsOfSeries(plans);
  return plans.map((_, index) => {
    const mark = markOfList(sets, index);
    return rows.filter((row) => row[rowNames.list] === mark);
  });
}

/** The keys that rows of each are grouped by. */
export function setsOfSeries(series: readonly unknown[]): { readonly dimensions: readonly string[] }[] {
  return series.map((_, index) => ({ dimensions: [rowNames.bucketOf(index)] }));
}
