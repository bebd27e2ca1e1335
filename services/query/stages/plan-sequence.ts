/** Plans what a dataset asks of the order of events, from the arguments of the parameter; part of the plan stage. */
import type { EventMatch } from '../../shared/model/event-match.ts';
import { FUNNEL_DEFAULTS, type FunnelStep } from '../../shared/model/funnel-definition.ts';
import type { ArgumentValues } from '../catalogue/arguments.ts';
import type { SequenceSource } from '../catalogue/dataset.ts';
import type { FunnelArguments, JourneyArguments, RetentionArguments } from '../catalogue/match-arguments.ts';
import type { Granularity } from '../time/buckets.ts';
import { type Definitions, funnelOf, goalOf } from './definitions.ts';
import { matchFilter } from './match-filter.ts';
import type { PlannedFilter, Refusal, Sequence } from './query-plan.ts';
import type { Reach } from './resolve.ts';

const DEFAULT_STEPS = 5;
const DEFAULT_WIDTH = 10;

/** What goals and funnels are looked up in, and the websites whose goals and funnels they may be. */
export interface DefinitionContext {
  readonly definitions: Definitions;
  readonly reach: Reach;
}

/** A sequence, over the events of the website that its goals and funnels are of. */
export interface PlannedSequence {
  readonly sequence: Sequence;
  readonly reach: Reach;
  /** What its rows are cut by in place of the granularity of the request. */
  readonly unit?: Granularity;
  /** In place of that of the page: what is before it was left out already. */
  readonly offset?: number;
}

export function planSequence(
  kind: Exclude<SequenceSource['kind'], 'goals'>,
  given: ArgumentValues,
  context: DefinitionContext,
): PlannedSequence | Refusal {
  // Each dataset declares the schema of its arguments.
  const checked: unknown = given;
  switch (kind) {
    case 'funnel':
      return planFunnel(checked as FunnelArguments, context);
    case 'retention':
      return planRetention(checked as RetentionArguments, context);
    case 'journey':
      return planJourney(checked as JourneyArguments, context);
  }
}

/** Only the events of one website that was reached before. */
export function narrowedTo(websiteId: string, { organizationId }: Reach): Reach {
  return { organizationId, websiteIds: [websiteId], organizationEvents: false };
}

function planFunnel(given: FunnelArguments, context: DefinitionContext): PlannedSequence | Refusal {
  const { definitions } = context;
  let { reach } = context;
  let { steps = [], ordered, windowSeconds, exclude } = given;
  if (given.funnelId !== undefined) {
    const kept = funnelOf(definitions, reach, given.funnelId);
    if ('refused' in kept) return kept;
    reach = narrowedTo(kept.websiteId, reach);
    ({ steps, ordered, windowSeconds } = kept);
    exclude = kept.exclude ?? undefined;
  }
  const isOrdered = ordered ?? FUNNEL_DEFAULTS.ordered;
  return {
    reach,
    sequence: {
      kind: 'funnel',
      steps: steps.map((step, index) => ({
        name: isOrdered ? nameOf(step) : `${index + 1} of ${steps.length}`,
        on: matchFilter(step),
      })),
      ordered: isOrdered,
      windowMs: (windowSeconds ?? FUNNEL_DEFAULTS.windowSeconds) * 1_000,
      exclude: exclude ? matchFilter(exclude) : null,
    },
  };
}

function nameOf({ name, match }: FunnelStep): string {
  return name ?? [match.value].flat().join(', ');
}

const GRANULARITY_OF = { day: 'daily', week: 'weekly', month: 'monthly' } as const;

function planRetention(given: RetentionArguments, context: DefinitionContext): PlannedSequence | Refusal {
  const start = matchOrGoal(given.start, given.startGoalId, context);
  if ('refused' in start) return start;
  const returning = matchOrGoal(given.returning, given.goalId, { ...context, reach: start.reach });
  if ('refused' in returning) return returning;
  const { reach } = returning;
  const { mode = 'exact', unit = 'day' } = given;
  return {
    reach,
    unit: GRANULARITY_OF[unit],
    sequence: { kind: 'retention', start: start.filter, returning: returning.filter, mode },
  };
}

function planJourney(given: JourneyArguments, context: DefinitionContext): PlannedSequence | Refusal {
  const { start, goalId, direction = 'forward', steps = DEFAULT_STEPS, width = DEFAULT_WIDTH } = given;
  const from = matchOrGoal(start, goalId, context);
  if ('refused' in from) return from;
  const { reach, filter } = from;
  if (!filter) throw new Error('A journey has a start.');
  return { reach, sequence: { kind: 'journey', start: filter, direction, steps, width } };
}

/** What is matched, if anything, over the events of the website that the goal is of. */
function matchOrGoal(
  match: EventMatch | undefined,
  goalId: string | undefined,
  { definitions, reach }: DefinitionContext,
): { readonly filter: PlannedFilter | null; readonly reach: Reach } | Refusal {
  if (goalId === undefined) return { filter: match ? matchFilter(match) : null, reach };
  const goal = goalOf(definitions, reach, goalId);
  if ('refused' in goal) return goal;
  return { filter: matchFilter(goal), reach: narrowedTo(goal.websiteId, reach) };
}
