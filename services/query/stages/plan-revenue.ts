/** Plans which events have a worth, and in which property it stands; part of the plan stage. */
import type { EventMatch } from '../../shared/model/event-match.ts';
import type { ArgumentValues } from '../catalogue/arguments.ts';
import type { RevenueArguments } from '../catalogue/match-arguments.ts';
import { goalOf } from './definitions.ts';
import { matchFilter } from './match-filter.ts';
import { type DefinitionContext, narrowedTo } from './plan-sequence.ts';
import type { PlannedFilter, QueryPlan, Refusal } from './query-plan.ts';
import type { Reach } from './resolve.ts';

const CURRENCY = 'currency';

/** What arguments of revenue make of a plan. */
export interface PlannedRevenue {
  readonly reach: Reach;
  readonly filters: readonly PlannedFilter[];
  /** With the property that is summed. */
  measures(of: QueryPlan['measures']): QueryPlan['measures'];
  /** With the currency of events that name none. */
  dimensions(of: QueryPlan['dimensions']): QueryPlan['dimensions'];
}

/** `isSeries`: its rows have no currency of their own. */
export function planRevenue(
  given: ArgumentValues,
  isSeries: boolean,
  context: DefinitionContext,
): PlannedRevenue | Refusal {
  const worth = worthOf(given as unknown as RevenueArguments, isSeries, context);
  if ('refused' in worth) return worth;
  const { property, match, currency, reach } = worth;
  const of = 'event' as const;
  const isNumber: PlannedFilter = {
    on: { property },
    op: 'gte',
    values: [String(-Number.MAX_VALUE)],
    of,
  };
  return {
    reach,
    filters: [
      ...(match ? [matchFilter(match)] : []),
      isNumber,
      ...(currency === null ? [] : [inCurrency(currency)]),
    ],
    measures: (measures) =>
      Object.fromEntries(
        Object.entries(measures).map(([name, measure]) => [
          name,
          measure.kind === 'propertySum' ? { ...measure, property } : measure,
        ]),
      ),
    dimensions: (dimensions) =>
      dimensions.map((dimension) => {
        const isCurrency = dimension.name === CURRENCY && currency !== null;
        return isCurrency ? { ...dimension, missing: currency } : dimension;
      }),
  };
}

/** Events whose currency is this, or that name none. */
export function inCurrency(currency: string): PlannedFilter {
  return {
    any: [
      { on: { property: CURRENCY }, op: 'eq', values: [currency], of: 'event' },
      { on: { property: CURRENCY }, op: 'missing', values: [], of: 'event' },
    ],
  };
}

interface Worth {
  readonly property: string;
  readonly match: EventMatch | undefined;
  readonly currency: string | null;
  readonly reach: Reach;
}

function worthOf(
  { goalId, property = '', match, currency }: RevenueArguments,
  isSeries: boolean,
  { definitions, reach }: DefinitionContext,
): Worth | Refusal {
  if (goalId === undefined) return { property, match, currency: currency ?? null, reach };
  const goal = goalOf(definitions, reach, goalId);
  if ('refused' in goal) return goal;
  const { name, revenueProperty, websiteId } = goal;
  if (revenueProperty === null)
    return { refused: `The goal ${JSON.stringify(name)} has no property of revenue.` };
  if (isSeries && goal.currency === null)
    return { refused: `The goal ${JSON.stringify(name)} has no currency; sums of different ones are none.` };
  return {
    property: revenueProperty,
    match: goal,
    currency: goal.currency,
    reach: narrowedTo(websiteId, reach),
  };
}
