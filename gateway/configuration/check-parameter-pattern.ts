/** Checks `parameterPattern`: the form that parameters of an endpoint's paths have; what has another form is an unknown path. */
import { checkRegex } from './check-paths.ts';
import type { Cursor } from './cursor.ts';

/** What the form is judged beside. */
export interface PatternedEndpoint {
  readonly paths: readonly string[];
  readonly namesMethods: boolean;
  /** Whether `host`, `hostRegex` or `pathRegex` moves it to express, which knows no such form. */
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
  if (runsOnExpress) return 'stands beside host, hostRegex or pathRegex, where it would not be looked at';
  if (!namesMethods) return 'stands without methods: those that are not named are an unknown path';
  const other = paths.find((path) => !path.includes('/:') || path.endsWith('/*'));
  return other === undefined ? null : `stands beside ${other}, which has no parameter of one segment alone`;
}
