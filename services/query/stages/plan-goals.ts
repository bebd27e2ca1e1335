/** Plans which goals a query counts, and what their events are worth; part of the plan stage. */
import type { Goal } from '../../shared/model/goal.ts';
import type { ArgumentValues } from '../catalogue/arguments.ts';
import type { Dataset } from '../catalogue/dataset.ts';
import type { GoalsArguments } from '../catalogue/match-arguments.ts';
import { goalOf, goalsOf, MOST_GOALS_READ } from './definitions.ts';
import { matchFilter } from './match-filter.ts';
import type { ParsedRequest } from './parse.ts';
import { inCurrency } from './plan-revenue.ts';
import { type DefinitionContext, narrowedTo, type PlannedSequence } from './plan-sequence.ts';
import type { PlannedGoal, Refusal } from './query-plan.ts';
import type { Reach } from './resolve.ts';

/** How many goals one scan counts. */
export const MAX_GOALS_AT_ONCE = 100;

/** What of a request says which of many goals are counted. */
export type GoalPage = Pick<ParsedRequest, 'page' | 'limit' | 'sortBy' | 'groupBy' | 'compare'>;

export function planGoals(
  given: ArgumentValues,
  asked: GoalPage,
  context: DefinitionContext,
): PlannedSequence | Refusal {
  const { goalId } = given as GoalsArguments;
  if (asked.compare && asked.groupBy.length > 0) {
    return {
      refused:
        'Goals are compared with another period as a whole, not by groups: leave compare or groupBy out.',
    };
  }
  if (goalId !== undefined) {
    const goal = goalOf(context.definitions, context.reach, goalId);
    return 'refused' in goal ? goal : countedOf([goal], goal.websiteId, context);
  }
  const [websiteId, ...others] = context.reach.websiteIds;
  if (websiteId === undefined || others.length > 0 || context.reach.organizationEvents) {
    return {
      refused: 'The dataset "goals" is about one website: name it with website_id, or a goal with goalId.',
    };
  }
  const all = goalsOf(context.definitions, context.reach, websiteId);
  if (all.length <= MAX_GOALS_AT_ONCE) return countedOf(all, websiteId, context);
  return pageOf(all, asked, { websiteId, ...context });
}

/** Of more goals than one scan counts those of the page, in their order. */
function pageOf(
  all: readonly Goal[],
  { page, limit = MAX_GOALS_AT_ONCE, sortBy, groupBy }: GoalPage,
  context: DefinitionContext & { readonly websiteId: string },
): PlannedSequence | Refusal {
  const offset = (page - 1) * limit;
  if (offset + limit > MOST_GOALS_READ) {
    return {
      refused: `Pages reach the first ${MOST_GOALS_READ.toLocaleString('en')} goals of a website; name further ones by goalId.`,
    };
  }
  if (sortBy === undefined && groupBy.length === 0 && limit <= MAX_GOALS_AT_ONCE) {
    return { ...countedOf(all.slice(offset, offset + limit), context.websiteId, context), offset: 0 };
  }
  return {
    refused: `The website has more than ${MAX_GOALS_AT_ONCE} goals, of which ${MAX_GOALS_AT_ONCE} are counted at once: ask page by page with a limit of at most ${MAX_GOALS_AT_ONCE}, without sortBy and groupBy, or name one by goalId.`,
  };
}

function countedOf(goals: readonly Goal[], websiteId: string, { reach }: DefinitionContext): PlannedSequence {
  return {
    reach: narrowedTo(websiteId, reach),
    sequence: { kind: 'goals', goals: goals.map(plannedGoal) },
  };
}

export function plannedGoal(goal: Goal): PlannedGoal {
  const { id, name, position, revenueProperty, currency } = goal;
  return {
    ...{ id, name, position: Number(position), currency },
    on: matchFilter(goal),
    worth:
      revenueProperty === null
        ? null
        : { property: revenueProperty, inCurrency: currency === null ? null : inCurrency(currency) },
  };
}

/** The goal whose columns a dataset shows, over the events of its website; null: the parameter names none. */
export function planGoalColumns(
  { columns }: Pick<Dataset, 'columns'>,
  { goalId }: ArgumentValues,
  context: DefinitionContext,
): { readonly goal: PlannedGoal; readonly reach: Reach } | Refusal | null {
  if (typeof goalId !== 'string' || !columns.some(({ ofGoal }) => ofGoal)) return null;
  const goal = goalOf(context.definitions, context.reach, goalId);
  if ('refused' in goal) return goal;
  return { goal: plannedGoal(goal), reach: narrowedTo(goal.websiteId, context.reach) };
}
