/** The grouping of a plan as DuckDB SQL: in one step, or in two where distinct values are counted within each group. */
import type { Measure } from '../../catalogue/measure.ts';
import { rowNames } from '../row-names.ts';
import { type MeasureSql, measureSql, VISITOR } from './measure-sql.ts';
import { type Bind, quoted } from './text-sql.ts';

/** A measure with its SQL. */
export interface CompiledMeasure extends MeasureSql {
  readonly name: string;
  readonly measure: Measure;
}

export function compileMeasures(
  measures: readonly (readonly [name: string, measure: Measure])[],
  bind: Bind,
): CompiledMeasure[] {
  return measures.map(([name, measure]) => ({ name, measure, ...measureSql(name, measure, bind) }));
}

/** The distinct value, in the rows of the first step. */
const MEMBER = 'member';

/** How rows are grouped. */
interface Grouping {
  /** The columns that rows are grouped by. */
  readonly keys: readonly string[];
  /** What they are read from. */
  readonly selected: readonly string[];
  /** What stands behind GROUP BY there, with these keys besides. */
  readonly by: (further: readonly string[]) => string;
}

/** Rows of `from` grouped by `keys`: the keys, and the columns that {@link MeasureSql.selected} reads. */
export function groupSql(
  keys: readonly string[],
  measures: readonly CompiledMeasure[],
  from: string,
): string {
  const by = (further: readonly string[]) => [...keys, ...further].join(', ');
  return groupedSql({ keys, selected: keys, by }, measures, from);
}

/**
 * Rows of `from` grouped by each of `sets` by itself, in one scan: as above, with the mark of the set in each row, and the
 * keys of all sets in the columns `names`, the first of each in the first one.
 */
export function groupSetsSql(
  sets: readonly (readonly string[])[],
  names: readonly string[],
  measures: readonly CompiledMeasure[],
  from: string,
): string {
  const marked = `grouping(${sets.flat().join(', ')}) AS ${rowNames.list}`;
  // The keys of other sets are null.
  const shown = names.map(
    (name, place) => `coalesce(${sets.flatMap((set) => set[place] ?? []).join(', ')}) AS ${name}`,
  );
  const by = (further: readonly string[]) =>
    `GROUPING SETS (${sets.map((set) => `(${[...set, ...further].join(', ')})`).join(', ')})`;
  return groupedSql({ keys: [rowNames.list, ...names], selected: [marked, ...shown], by }, measures, from);
}

function groupedSql(grouping: Grouping, measures: readonly CompiledMeasure[], from: string): string {
  const member = onlyMemberOf(measures);
  if (member !== null) return inTwoSteps(grouping, measures, member, from);
  const { selected, by } = grouping;
  const columns = measures.flatMap(({ grouped }) => grouped);
  return `SELECT ${[...selected, ...columns].join(', ')} FROM ${from} GROUP BY ${by([])}`;
}

/**
 * First a row for each member of a group, then their number and the sums of the rest: grouping costs the engine less
 * than DISTINCT.
 */
function inTwoSteps(
  { keys, selected, by }: Grouping,
  measures: readonly CompiledMeasure[],
  member: string,
  from: string,
): string {
  const parts: string[] = [];
  const sums = measures.map(({ name, measure, grouped }) => {
    const as = rowNames.measure(name);
    if (memberOf(measure) !== null) return `count(nullif(${MEMBER}, '')) AS ${as}`;
    parts.push(...grouped);
    return `CAST(sum(${as}) AS BIGINT) AS ${as}`;
  });
  const first = [...selected, `${member} AS ${MEMBER}`, ...parts].join(', ');
  const groups = keys.join(', ');
  return `SELECT ${[groups, ...sums].join(', ')}
FROM (SELECT ${first} FROM ${from} GROUP BY ${by([member])}) GROUP BY ${groups}`;
}

/** The column whose distinct texts are counted, if it is the only one and everything else is a count; null otherwise. */
function onlyMemberOf(measures: readonly CompiledMeasure[]): string | null {
  const members = new Set<string>();
  for (const { measure } of measures) {
    const member = memberOf(measure);
    if (member !== null) members.add(member);
    else if (measure.kind !== 'count' && measure.kind !== 'sessions') return null;
  }
  const [only = null, ...others] = members;
  return others.length === 0 ? only : null;
}

/** The column whose distinct texts a measure counts, whatever the rest of the row; null for other measures. */
function memberOf(measure: Measure): string | null {
  if (measure.kind === 'distinct' && measure.where === undefined) return quoted(measure.column);
  return measure.kind === 'sessionVisitors' ? VISITOR : null;
}
