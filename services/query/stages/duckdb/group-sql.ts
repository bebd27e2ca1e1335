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
  readonly keys: readonly string[];
  /** What tells groups of several sets of keys apart. */
  readonly marks: readonly string[];
  /** What stands behind GROUP BY, with these keys besides. */
  readonly by: (further: readonly string[]) => string;
}

/** Rows of `from` grouped by `keys`: the keys, and the columns that {@link MeasureSql.selected} reads. */
export function groupSql(
  keys: readonly string[],
  measures: readonly CompiledMeasure[],
  from: string,
): string {
  return groupedSql({ keys, marks: [], by: (further) => [...keys, ...further].join(', ') }, measures, from);
}

/** Rows of `from` grouped by each of `sets` by itself, in one scan: as above, with the mark of the set in each row. */
export function groupSetsSql(
  sets: readonly (readonly string[])[],
  measures: readonly CompiledMeasure[],
  from: string,
): string {
  const keys = sets.flat();
  const marks = [`grouping(${keys.join(', ')}) AS ${rowNames.list}`];
  const by = (further: readonly string[]) =>
    `GROUPING SETS (${sets.map((set) => `(${[...set, ...further].join(', ')})`).join(', ')})`;
  return groupedSql({ keys, marks, by }, measures, from);
}

function groupedSql(grouping: Grouping, measures: readonly CompiledMeasure[], from: string): string {
  const member = onlyMemberOf(measures);
  if (member !== null) return inTwoSteps(grouping, measures, member, from);
  const { keys, marks, by } = grouping;
  const columns = measures.flatMap(({ grouped }) => grouped);
  return `SELECT ${[...keys, ...marks, ...columns].join(', ')} FROM ${from} GROUP BY ${by([])}`;
}

/**
 * First a row for each member of a group, then their number and the sums of the rest: grouping costs the engine less
 * than DISTINCT.
 */
function inTwoSteps(
  { keys, marks, by }: Grouping,
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
  const first = [...keys, ...marks, `${member} AS ${MEMBER}`, ...parts].join(', ');
  const groups = [...keys, ...(marks.length > 0 ? [rowNames.list] : [])].join(', ');
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
