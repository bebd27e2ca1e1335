/** The rows of a list as DuckDB SQL: groups of events or sessions, or single events, ordered and cut to a page. */

import type { Dimension } from '../../catalogue/dataset.ts';
import { isOfSessions, type Measure } from '../../catalogue/measure.ts';
import type { OrderTerm, QueryPlan, RowKey } from '../query-plan.ts';
import { keyColumn, rowNames } from '../row-names.ts';
import { type CompiledMeasure, compileMeasures, groupSql } from './group-sql.ts';
import { measureSql, pageColumn, UNTIL_NEXT } from './measure-sql.ts';
import { type Bind, shownSql } from './text-sql.ts';

/** The rows `r` of a list, filtered, ordered and cut. */
export function listPageSql(plan: QueryPlan, bind: Bind): string {
  const conditions = rowConditionsSql(plan, bind);
  const where = conditions.length > 0 ? `\nWHERE ${conditions.join(' AND ')}` : '';
  if (plan.keys) return `\nSELECT r.*\nFROM r SEMI JOIN ${keysSql(plan.keys, plan, bind)}${where}`;
  return `
SELECT *
FROM r${where}
ORDER BY ${plan.order.map(orderSql).join(', ')}
LIMIT ${bind(plan.limit)}::BIGINT OFFSET ${bind(plan.offset)}::BIGINT`;
}

/** What the rows of a list must meet, whichever page they stand on. */
function rowConditionsSql({ having, search }: QueryPlan, bind: Bind): string[] {
  const conditions: string[] = [];
  if (having) conditions.push(`${rowNames.measure(having.measure)} >= ${bind(having.atLeast)}::BIGINT`);
  if (search !== undefined) {
    const sought = `lower(${bind(search.text)}::VARCHAR)`;
    const found = search.dimensions.map(
      (name) => `coalesce(contains(lower(${rowNames.dimension(name)}::VARCHAR), ${sought}), false)`,
    );
    conditions.push(`(${found.join(' OR ')})`);
  }
  return conditions;
}

/** The keys as a table, and the condition that one of them is a row's. */
function keysSql(keys: readonly RowKey[], { dimensions }: QueryPlan, bind: Bind): string {
  const columns = dimensions.map((_, index) => `row_key[${index + 1}] AS k${index}`).join(', ');
  const list = `from_json(${bind(JSON.stringify(keys))}::VARCHAR, '[["VARCHAR"]]')`;
  const isSame = dimensions.map(
    (dimension, index) => `r.${keyColumn(dimension)} IS NOT DISTINCT FROM keys.k${index}`,
  );
  return `(SELECT ${columns} FROM (SELECT unnest(${list}) AS row_key)) AS keys ON ${isSame.join(' AND ')}`;
}

/** `g` groups; the rest computes shown values and totals. */
export function listRowsSql(plan: QueryPlan, bind: Bind): string {
  if (plan.unit === 'eachEvent') return eachEventSql(plan, bind);
  const measures = compileMeasures(Object.entries(plan.measures), bind);
  const band = plan.bands ? [rowNames.band] : [];
  const keys = [...band, ...plan.dimensions.map(({ name }) => rowNames.dimension(name))];
  const selected = [
    ...band,
    ...plan.dimensions.map((dimension) => shownSql(dimension, bind)),
    ...(plan.compared || plan.keys ? plan.dimensions.flatMap(keySelected) : []),
    ...measures.flatMap((measure) => measure.selected),
    ...plan.totals.map((name) => totalSql(name, plan.measures[name], bind)),
  ].join(', ');
  const parts = partsOf(plan, measures, keys).map(([own, from]) => `(${groupSql(keys, own, from)})`);
  const all = everyRowSql(plan, keys, bind);
  const [first, ...others] = all === null ? parts : [all, ...parts];
  const joined = others.map((part) => ` LEFT JOIN ${part} USING (${keys.join(', ')})`);
  return `SELECT ${selected} FROM ${first}${joined.join('')}`;
}

/** Measures with what they are grouped from: those of events, then those of sessions, which only groups of events have. */
function partsOf(
  { unit, bands }: QueryPlan,
  measures: readonly CompiledMeasure[],
  keys: readonly string[],
): (readonly [own: readonly CompiledMeasure[], from: string])[] {
  if (bands) return [[measures, `(SELECT *, ${bandSql(bands)} AS ${rowNames.band} FROM s)`]];
  if (unit === 'sessions') return [[measures, 's']];
  const bySource = new Map<string, CompiledMeasure[]>([['e', []]]);
  for (const compiled of measures) {
    const from = sourceOf(compiled.measure, keys);
    bySource.set(from, [...(bySource.get(from) ?? []), compiled]);
  }
  return [...bySource].map(([from, own]) => [own, from]);
}

function sourceOf(measure: Measure, keys: readonly string[]): string {
  if (measure.kind === 'sessionsBy') return `(SELECT *, ${pageColumn(measure.page)} AS ${keys[0]} FROM s)`;
  return isOfSessions(measure) ? 's' : 'e';
}

/** The keys of rows that are there also without events: those of bands or websites. Null: there are none. */
function everyRowSql({ bands, everyWebsite }: QueryPlan, keys: readonly string[], bind: Bind): string | null {
  if (bands) return `(SELECT unnest(range(${bands.length})) AS ${rowNames.band})`;
  if (!everyWebsite) return null;
  const ids = `unnest(${bind(everyWebsite)}::VARCHAR[])`;
  return `(SELECT ${keys.map((key) => `website AS ${key}`).join(', ')} FROM (SELECT ${ids} AS website))`;
}

/** The text of a dimension before another one is shown in its place, where one is. */
function keySelected({ name, shown }: Dimension): string[] {
  return shown ? [`${rowNames.dimension(name)} AS ${rowNames.key(name)}`] : [];
}

function eachEventSql(plan: QueryPlan, bind: Bind): string {
  const measures = Object.entries(plan.measures).flatMap(([name, measure]) => {
    if (measure.kind === 'number') return measureSql(name, measure, bind).grouped;
    return [`${measure.kind === 'untilNext' ? UNTIL_NEXT : 'ms'} AS ${rowNames.measure(name)}`];
  });
  const dimensions = plan.dimensions.map((dimension) => shownSql(dimension, bind));
  return `SELECT ${[...dimensions, ...measures].join(', ')} FROM e`;
}

function bandSql(bands: NonNullable<QueryPlan['bands']>): string {
  const cases = bands.slice(0, -1).map(({ below }, index) => `WHEN duration < ${below} THEN ${index}`);
  return `CASE ${cases.join(' ')} ELSE ${bands.length - 1} END`;
}

/** A measure over all filtered events: the sum over the rows if each thing is in only one row, else counted anew; `over`: which rows. */
export function totalSql(name: string, measure: Measure | undefined, bind: Bind, over = ' OVER ()'): string {
  const as = rowNames.total(name);
  if (measure?.kind !== 'distinct' && measure?.kind !== 'sessionVisitors') {
    return `CAST(sum(${rowNames.measure(name)})${over} AS BIGINT) AS ${as}`;
  }
  const from = isOfSessions(measure) ? 's' : 'e';
  const { grouped, selected } = measureSql(name, measure, bind);
  return `(SELECT ${selected.join(', ')} FROM (SELECT ${grouped.join(', ')} FROM ${from})) AS ${as}`;
}

function orderSql(term: OrderTerm): string {
  return `${keySql(term.key)} ${directionSql(term)}`;
}

/** A value that orders rows, ascending, as all these terms do. */
export function sortKeySql(order: readonly OrderTerm[]): string {
  return `create_sort_key(${order.map((term) => `${keySql(term.key)}, '${directionSql(term)}'`).join(', ')})`;
}

function directionSql({ direction }: OrderTerm): string {
  // Missing values sort below all others.
  return `${direction} ${direction === 'asc' ? 'NULLS FIRST' : 'NULLS LAST'}`;
}

function keySql(key: OrderTerm['key']): string {
  if ('band' in key) return rowNames.band;
  if ('bucket' in key) return rowNames.bucket;
  if ('dimension' in key) return rowNames.dimension(key.dimension);
  if ('measure' in key) return rowNames.measure(key.measure);
  if ('count' in key) return `coalesce(${rowNames.measure(key.count)}, 0)`;
  if ('quantile' in key) {
    const values = rowNames.values(key.quantile);
    const beyond = `(((${values} - 1) * ${key.percent}) % 100)`;
    const [lower, upper] = [rowNames.lower(key.quantile), rowNames.upper(key.quantile)];
    return `coalesce(${lower} * (100 - ${beyond}) + ${upper} * ${beyond}, 0)`;
  }
  if ('last' in key) return `(${rowNames.measure(key.last)} - ${rowNames.measure(key.first)})`;
  const [of, by] = [rowNames.measure(key.of), rowNames.measure(key.by)];
  return `CASE WHEN coalesce(${by}, 0) = 0 THEN 0 ELSE coalesce(CAST(${of} AS DOUBLE), 0) / ${by} END`;
}
