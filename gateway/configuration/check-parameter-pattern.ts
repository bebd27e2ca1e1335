/** Checks `parameterPattern`: the form of the parameters in an endpoint's paths; a request with any other form is an unknown path. */
import { checkRegex } from './check-paths.ts';
import type { Cursor } from './cursor.ts';

/** The keys of the endpoint that the pattern is checked against. */
export interface PatternedEndpoint {
  readonly paths: readonly string[];
  readonly namesMethods: boolean;
  /** Whether `host`, `hostRegex` or `pathRegex` moves it to express, which does not support the pattern. */
  readonly runsOnExpress: boolean;
}

/** The pattern, undefined when there is none or after a fault. */
export function checkParameterPattern(cursor: Cursor, endpoint: PatternedEndpoint): string | undefined {
  if (cursor.value === undefined) return undefined;
  const source = checkRegex(cursor);
  if (source === null) return undefined;
  const problem = problemOf(endpoint);
  if (problem === null) return source;
  cursor.report(problem, { candidates: [] });
  return undefined;
}

function problemOf({ paths, namesMethods, runsOnExpress }: PatternedEndpoint): string | null {
  if (runsOnExpress) return 'cannot be combined with host, hostRegex or pathRegex: it would have no effect';
  if (!namesMethods) return 'needs methods: a request with any other method gets an unknown path';
  const other = paths.find((path) => !path.includes('/:') || path.endsWith('/*'));
  return other === undefined
    ? null
    : `does not fit ${other}: every path needs a :parameter, and none may end in /*`;
}
