/** Arguments that name events: as a match, or by a goal or funnel of the website. */
import { z } from 'zod';
import { eventMatchSchema } from '../../shared/model/event-match.ts';
import {
  FUNNEL_DEFAULTS,
  funnelDefinitionFields,
  MAX_FUNNEL_STEPS,
} from '../../shared/model/funnel-definition.ts';
import { identifierArgument } from './arguments.ts';

const { steps, ordered, windowSeconds, exclude } = funnelDefinitionFields;

/** How many texts an identifier of a document may have. */
const MAX_ID = 64;

const goalId = (description: string) =>
  identifierArgument(MAX_ID, description).optional().describe(description);

type Payload = z.core.ParsePayload<Readonly<Record<string, unknown>>>;

/** Of the two, one has to come, or at most one. */
function oneOf(first: string, second: string, isRequired: boolean) {
  return ({ value, issues }: Payload) => {
    const came = [value[first], value[second]].filter((each) => each !== undefined).length;
    const fault = (path: string, message: string) =>
      issues.push({ code: 'custom', path: [path], message, input: undefined });
    if (came === 0 && isRequired) fault(first, `Required: ${first} or ${second}.`);
    if (came === 2) fault(second, `Stands in place of ${first}; both came.`);
  };
}

export const funnelArguments = z
  .object({
    steps: steps.optional().describe(`The steps, 2 to ${MAX_FUNNEL_STEPS}.`),
    ordered: ordered.optional().describe(`${ordered.description} Default: ${FUNNEL_DEFAULTS.ordered}.`),
    windowSeconds: windowSeconds
      .optional()
      .describe(`${windowSeconds.description} Default: ${FUNNEL_DEFAULTS.windowSeconds}.`),
    exclude,
    funnelId: goalId('A funnel of the website, in place of all other arguments.'),
  })
  .check(oneOf('steps', 'funnelId', true), ({ value, issues }) => {
    for (const name of ['ordered', 'windowSeconds', 'exclude'] as const) {
      if (value.funnelId === undefined || value[name] === undefined) continue;
      const message = 'The funnel that funnelId names says this.';
      issues.push({ code: 'custom', path: [name], message, input: undefined });
    }
  });

export const RETENTION_UNITS = ['day', 'week', 'month'] as const;

export const retentionArguments = z
  .object({
    unit: z
      .enum(RETENTION_UNITS)
      .optional()
      .describe('What a period is: day (the default), week from Sunday on, or month, in the timezone.'),
    mode: z
      .enum(['exact', 'rolling'])
      .optional()
      .describe('exact (the default): who returned in a period; rolling: in it or in a later one.'),
    start: eventMatchSchema
      .optional()
      .describe('The event that makes a visitor one of a cohort; default: any.'),
    startGoalId: goalId('A goal in place of start.'),
    returning: eventMatchSchema.optional().describe('The event that counts as a return; default: any.'),
    goalId: goalId('A goal in place of returning.'),
  })
  .check(oneOf('start', 'startGoalId', false), oneOf('returning', 'goalId', false));

export const MAX_JOURNEY_STEPS = 20;
export const MAX_JOURNEY_WIDTH = 20;

export const journeyArguments = z
  .object({
    start: eventMatchSchema
      .optional()
      .describe('The page or custom event where journeys start, or to which they lead.'),
    goalId: goalId('A goal in place of start.'),
    direction: z
      .enum(['forward', 'backward'])
      .optional()
      .describe('forward (the default): what followed; backward: what came before.'),
    steps: z
      .int()
      .min(1)
      .max(MAX_JOURNEY_STEPS)
      .optional()
      .describe(`How many steps from the start; 1 to ${MAX_JOURNEY_STEPS}, default 5.`),
    width: z
      .int()
      .min(1)
      .max(MAX_JOURNEY_WIDTH)
      .optional()
      .describe(
        `How many pages and events a step shows, the rest as (other); 1 to ${MAX_JOURNEY_WIDTH}, default 10.`,
      ),
  })
  .check(oneOf('start', 'goalId', true));

const CURRENCY = 'Three capital letters (ISO 4217).';

export const revenueArguments = z
  .object({
    property: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe('The property that holds what an event is worth, as a number.'),
    match: eventMatchSchema
      .optional()
      .describe('The events that count; default: all that have the property.'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, { error: `Allowed: ${CURRENCY}` })
      .optional()
      .describe(`${CURRENCY} Only events whose property currency says so, or nothing, count.`),
    goalId: goalId('A goal that has a property of revenue, in place of all other arguments.'),
  })
  .check(oneOf('property', 'goalId', true), ({ value, issues }) => {
    for (const name of ['match', 'currency'] as const) {
      if (value.goalId === undefined || value[name] === undefined) continue;
      issues.push({
        code: 'custom',
        path: [name],
        message: 'The goal that goalId names says this.',
        input: undefined,
      });
    }
  });

/** A currency is required: a series has no row for each. */
export const revenueOverTimeArguments = revenueArguments.check(({ value, issues }) => {
  if (value.goalId !== undefined || value.currency !== undefined) return;
  const message = 'Required: sums of different currencies are none.';
  issues.push({ code: 'custom', path: ['currency'], message, input: undefined });
});

export const goalsArguments = z.object({
  goalId: goalId('Only this goal; default: all of the website.'),
});

export const sessionGoalArguments = z.object({
  goalId: goalId('Adds the columns conversions and revenue, of this goal.'),
});

export type GoalsArguments = z.output<typeof goalsArguments>;
export type FunnelArguments = z.output<typeof funnelArguments>;
export type RetentionArguments = z.output<typeof retentionArguments>;
export type JourneyArguments = z.output<typeof journeyArguments>;
export type RevenueArguments = z.output<typeof revenueArguments>;
