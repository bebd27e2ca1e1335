/** How tests ask for datasets that take arguments: with values that their events have, or that property tests choose. */
import fc from 'fast-check';
import type { ArgumentValues } from '../../../services/query/catalogue/arguments.ts';
import type { Dataset } from '../../../services/query/catalogue/dataset.ts';
import { DATASETS } from '../../../services/query/datasets/index.ts';
import { matches } from './naive/matches.ts';

/** Arguments by the name of their dataset. */
export type GivenArguments = Readonly<Record<string, ArgumentValues>>;

const ANY_PAGE = { type: 'page', match: { op: 'contains', value: '/' } };
const SIGNUPS = { steps: [ANY_PAGE, { type: 'event', match: { op: 'eq', value: 'signup' } }] };

const funnels = fc.record(
  {
    steps: fc.array(matches, { minLength: 2, maxLength: 4 }),
    ordered: fc.boolean(),
    windowSeconds: fc.constantFrom(1, 1_800, 86_400, 7_776_000),
    exclude: matches,
  },
  { requiredKeys: ['steps'] },
);

/** Arguments of every dataset that has some, among the identifiers of the generated events. */
export const givenArguments: fc.Arbitrary<GivenArguments> = fc.record({
  funnel: funnels,
  funnel_over_time: funnels,
  retention: fc.record(
    {
      unit: fc.constantFrom('day', 'week', 'month'),
      mode: fc.constantFrom('exact', 'rolling'),
      start: matches,
      returning: matches,
    },
    { requiredKeys: [] },
  ),
  journey: fc.record(
    {
      start: matches,
      direction: fc.constantFrom('forward', 'backward'),
      steps: fc.integer({ min: 1, max: 4 }),
      width: fc.integer({ min: 1, max: 4 }),
    },
    { requiredKeys: ['start'] },
  ),
  revenue: fc.record(
    { property: fc.constantFrom('n', 'plan'), match: matches, currency: fc.constantFrom('EUR', 'USD') },
    { requiredKeys: ['property'] },
  ),
  revenue_over_time: fc.record(
    { property: fc.constant('n'), match: matches, currency: fc.constantFrom('EUR', 'USD') },
    { requiredKeys: ['property', 'currency'] },
  ),
  visitor_sessions: fc.record({ visitorId: fc.constantFrom('v1', 'v2', 'nobody') }),
  session_events: fc.record({ sessionId: fc.constantFrom('s1', 's2', 'none') }),
});

/** One choice of them. */
export const SOME_ARGUMENTS: GivenArguments = {
  funnel: SIGNUPS,
  funnel_over_time: SIGNUPS,
  retention: { unit: 'week', mode: 'rolling' },
  journey: { start: ANY_PAGE },
  revenue: { property: 'seats' },
  revenue_over_time: { property: 'seats', currency: 'EUR' },
  visitor_sessions: { visitorId: 'v1' },
  session_events: { sessionId: 's1' },
};

/** A dataset as it stands in `parameters`, under its own name in the answer. */
export function asked(name: string, given: GivenArguments = SOME_ARGUMENTS): string | { name: string } {
  const own = given[name];
  return own ? { name, ...own } : name;
}

/** Whether the dataset cannot be asked for by its name alone. */
export function needsArguments({ arguments: schema }: Dataset): boolean {
  return schema !== undefined && !schema.safeParse({}).success;
}

/** The main name of every dataset; `without`: of those that need no arguments. */
export function datasetNames(without: 'arguments' | 'nothing' = 'nothing'): string[] {
  const all = without === 'nothing' ? DATASETS : DATASETS.filter((dataset) => !needsArguments(dataset));
  return all.map(({ names }) => names[0]);
}

/** The datasets that have further columns for a goal, each asked for one of so many goals, as `NAME:goal` in the answer. */
export function askedWithGoals(goals: number, idOf: (place: number) => string): object[] {
  return datasetsOfGoals().map((name, index) => ({
    ...{ name, id: `${name}:goal` },
    goalId: idOf(index % goals),
  }));
}

export function datasetsOfGoals(): string[] {
  return DATASETS.filter(({ columns }) => columns.some(({ ofGoal }) => ofGoal)).map(({ names }) => names[0]);
}

/** In parts that one request object may ask for. */
export function inParts<T>(asked: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < asked.length; at += 40) parts.push(asked.slice(at, at + 40));
  return parts;
}
