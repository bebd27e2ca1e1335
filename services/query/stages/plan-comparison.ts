/** Plans what a dataset is compared with; part of the plan stage. */
import type { FixedRange } from '../catalogue/dataset.ts';
import { bucketsOf, type Granularity, type TimeRange } from '../time/buckets.ts';
import { type CompareWith, type Comparison, comparisonOf, namedRange } from '../time/comparison.ts';
import { type Counterparts, counterpartsOf } from '../time/counterparts.ts';
import type { Zone } from '../time/zone.ts';
import type { ComparedPlan, QueryPlan, Refusal } from './query-plan.ts';

/** What the comparisons of a call share. */
export interface ComparisonContext {
  readonly zone: Zone;
  readonly now: number;
  /** Counterparts of buckets, so that a call pairs each set once. */
  readonly paired: Map<string, Counterparts>;
}

/** As many rows as any sequence has. */
const MAX_SEQUENCE_ROWS = 10_000;

/** The period that a dataset is compared with, or why it has none. */
export function planPeriod(
  range: TimeRange,
  compare: CompareWith,
  { zone, now }: Pick<ComparisonContext, 'zone' | 'now'>,
  fixedRange?: FixedRange,
): Comparison | Refusal {
  if (fixedRange && 'lastMinutes' in fixedRange && typeof compare.period === 'object') {
    return {
      refused: `The last ${fixedRange.lastMinutes} minutes are compared with previous or year, not with dates.`,
    };
  }
  return comparisonOf(range, compare, zone, now);
}

export function planComparison(
  plan: QueryPlan,
  granularity: Granularity,
  comparison: Comparison,
  context: ComparisonContext,
): ComparedPlan {
  const period = namedRange(comparison.range, context.zone);
  if (plan.unit === 'eachEvent') return { period, plan: null, pairs: [] };
  const other = { ...plan, range: comparison.range };
  if (plan.kind === 'row') return { period, plan: other, pairs: [] };
  if (plan.kind === 'list' && plan.sequence) {
    const buckets = plan.buckets.length === 0 ? [] : bucketsOf(context.zone, comparison.range, granularity);
    return { period, plan: { ...other, buckets, limit: MAX_SEQUENCE_ROWS, offset: 0 }, pairs: [] };
  }
  // All bands have a row, and there are few of them.
  if (plan.kind === 'list') return { period, plan: plan.bands ? other : { ...other, keys: [] }, pairs: [] };
  const { buckets, pairs } = pairOnce(plan, granularity, comparison, context);
  return { period, plan: { ...other, buckets }, pairs };
}

function pairOnce(
  { range, buckets }: QueryPlan,
  granularity: Granularity,
  comparison: Comparison,
  { zone, paired }: ComparisonContext,
): Counterparts {
  const key = JSON.stringify([zone.name, range, granularity, comparison]);
  const known = paired.get(key);
  if (known) return known;
  const found = counterpartsOf(buckets, granularity, comparison, zone);
  paired.set(key, found);
  return found;
}
