/** One difference between two configurations, in words and as data. */

/** What a change is about. */
export const SUBJECTS = [
  'route',
  'scope',
  'role',
  'plan',
  'limit',
  'override',
  'documents',
  'upstream',
  'plugin',
  'listener',
] as const;
export type Subject = (typeof SUBJECTS)[number];

/** A single part that differs; null on a side that has none. */
export interface Difference {
  /** The name of the part, such as `rule`, `limits` or `per10Seconds`. */
  readonly part: string;
  readonly from: string | null;
  readonly to: string | null;
}

export interface Change {
  readonly subject: Subject;
  /** `METHOD /path` of a route; else the name of the plan, limit, scope, role, service or plugin. */
  readonly name: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly differences: readonly Difference[];
  /** Why it deserves a second look, one reason each; empty: it does not open, loosen or cut off anything. */
  readonly dangers: readonly string[];
}

/** What a side of a comparison shows of one thing, by the names of its parts. */
export type Parts = Readonly<Record<string, string | null>>;

/** The parts that differ, in the order of the first side, then of the second. */
export function differencesOf(before: Parts, after: Parts): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((part) => {
    const [from, to] = [before[part] ?? null, after[part] ?? null];
    return from === to ? [] : [{ part, from, to }];
  });
}

/** A value as text that is equal for equal values: members in the order of their names. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

/** A value as people read it: texts and numbers bare, nothing as null. */
export function shown(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : canonical(value);
}

/**
 * Everything that either side has by name, compared: `parts` shows one, `dangers` judges a pair. Names keep the order of
 * the first side; those that only the second has follow.
 */
export function compareNamed<T>(
  subject: Subject,
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  parts: (value: T) => Parts,
  dangers: (before: T | undefined, after: T | undefined, name: string) => readonly string[],
): Change[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [from, to] = [before.get(name), after.get(name)];
    const differences = differencesOf(from ? parts(from) : {}, to ? parts(to) : {});
    if (from !== undefined && to !== undefined && differences.length === 0) return [];
    const kind = from === undefined ? 'added' : to === undefined ? 'removed' : 'changed';
    return [{ subject, name, kind, differences, dangers: dangers(from, to, name) } as const];
  });
}
