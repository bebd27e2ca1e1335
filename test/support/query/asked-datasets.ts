/** How tests ask for datasets that take arguments: with values that their events have, or that property tests choose. */
import fc from 'fast-check';
import type { ArgumentValues } from '../../../services/query/catalogue/arguments.ts';
import { DATASETS } from '../../../services/query/datasets/index.ts';

/** Arguments by the name of their dataset. */
export type GivenArguments = Readonly<Record<string, ArgumentValues>>;

/** Arguments of every dataset that has some, among the identifiers of the generated events. */
export const givenArguments: fc.Arbitrary<GivenArguments> = fc.record({
  visitor_sessions: fc.record({ visitorId: fc.constantFrom('v1', 'v2', 'nobody') }),
  session_events: fc.record({ sessionId: fc.constantFrom('s1', 's2', 'none') }),
});

/** One choice of them. */
export const SOME_ARGUMENTS: GivenArguments = {
  visitor_sessions: { visitorId: 'v1' },
  session_events: { sessionId: 's1' },
};

/** A dataset as it stands in `parameters`, under its own name in the answer. */
export function asked(name: string, given: GivenArguments = SOME_ARGUMENTS): string | { name: string } {
  const own = given[name];
  return own ? { name, ...own } : name;
}

/** The main name of every dataset; `without`: of those that take no arguments. */
export function datasetNames(without: 'arguments' | 'nothing' = 'nothing'): string[] {
  const all = without === 'nothing' ? DATASETS : DATASETS.filter((dataset) => !dataset.arguments);
  return all.map(({ names }) => names[0]);
}
