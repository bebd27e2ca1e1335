/** Stage 5 for DuckDB: a plan becomes one SQL statement. Names come from the catalogue, every value is a parameter. */

import type { CompiledQuery, SqlValue } from '../../shared/ports/event-store.ts';
import type { Condition, Dimension, Measure } from '../catalogue/dataset.ts';
import { PAGEVIEW_EVENT } from '../catalogue/measures.ts';
import { bucketIndexSql } from './bucket-sql.ts';
import type { OrderTerm, Plan, PlannedFilter } from './plan.ts';
import type { Reach } from './resolve.ts';
import { rowNames } from './row-names.ts';

/** Takes a value in and gives the placeholder that stands for it. */
type Bind = (value: SqlValue) => string;

export function compileDuckDb(plan: Plan): CompiledQuery {
  const params: Record<string, SqlValue> = {};
  const bind: Bind = (value) => {
    const name = `p${Object.keys(params).length + 1}`;
    params[name] = value;
    return `$${name}`;
  };
  const events = eventsSql(plan, bind);
  const rows = plan.kind === 'list' ? listSql(plan, bind) : bucketRowsSql(plan, bind);
  return { engine: 'duckdb', sql: `WITH e AS (\n${events}\n)${rows}`, params };
}

/** The one scan: the events of the plan, with the columns that something later reads. */
function eventsSql(plan: Plan, bind: Bind): string {
  const dimensions = plan.dimensions.map(
    (dimension) => `${dimensionSql(dimension, bind)} AS ${rowNames.dimension(dimension.name)}`,
  );
  const bucket = plan.kind === 'list' ? [] : [`${bucketIndexSql(plan.buckets, bind)} AS ${rowNames.bucket}`];
  const columns = [...neededColumns(plan)].map(quoted);
  const select = ['epoch_ms("timestamp") AS ms', ...bucket, ...dimensions, ...columns].join(', ');
  return `SELECT ${select}\nFROM events\nWHERE ${conditionsSql(plan, bind).join('\n  AND ')}`;
}

function neededColumns(plan: Plan): Set<string> {
  const needed = new Set<string>();
  for (const measure of Object.values(plan.measures)) {
    if (measure.kind === 'distinct') needed.add(measure.column);
    if (measure.kind === 'count' && measure.where) needed.add(measure.where.column);
    if (isOfSessions(measure)) needed.add('session_id').add('event_name');
  }
  return needed;
}

function conditionsSql(plan: Plan, bind: Bind): string[] {
  const { reach, range, scope } = plan;
  const conditions = [
    ...reachSql(reach, bind),
    `"timestamp" >= epoch_ms(${bind(range.from)}::BIGINT)`,
    `"timestamp" < epoch_ms(${bind(range.to)}::BIGINT)`,
    'NOT "is_bot"',
  ];
  if (scope.events !== 'all') {
    const names = scope.names.map((name) => bind(name)).join(', ');
    conditions.push(`"event_name" ${scope.events === 'only' ? 'IN' : 'NOT IN'} (${names})`);
  }
  return [...conditions, ...plan.filters.map((filter) => filterSql(filter, bind))];
}

function reachSql(reach: Reach, bind: Bind): string[] {
  const organization = `"organization_id" = ${bind(reach.organizationId)}`;
  const [only, ...others] = reach.websiteIds;
  const websites =
    only !== undefined && others.length === 0
      ? `"website_id" = ${bind(only)}`
      : `"website_id" IN (SELECT unnest(${bind(reach.websiteIds)}::VARCHAR[]))`;
  return [organization, reach.organizationEvents ? `("website_id" IS NULL OR ${websites})` : websites];
}

function filterSql({ on, op, values }: PlannedFilter, bind: Bind): string {
  const text =
    'column' in on
      ? quoted(on.column)
      : `json_extract_string("properties", ${bind(jsonPointer(on.property))}::VARCHAR)`;
  const value = () => `${bind(values[0] ?? '')}::VARCHAR`;
  const isIn = () => `coalesce(list_contains(${bind(values)}::VARCHAR[], ${text}), false)`;
  switch (op) {
    case 'eq':
      return `${text} = ${value()}`;
    case 'ne':
      return `${text} IS DISTINCT FROM ${value()}`;
    case 'contains':
      return `contains(${text}, ${value()})`;
    case 'not_contains':
      return `NOT coalesce(contains(${text}, ${value()}), false)`;
    case 'starts_with':
      return `starts_with(${text}, ${value()})`;
    case 'in':
      return isIn();
    case 'not_in':
      return `NOT ${isIn()}`;
  }
}

/** The JSON pointer (RFC 6901) to a key of an object. */
function jsonPointer(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function dimensionSql({ column, missing, missingWhen }: Dimension, bind: Bind): string {
  const named = `coalesce(nullif(${quoted(column)}, ''), ${bind(missing)}::VARCHAR)`;
  if (!missingWhen) return named;
  const isMissing = `${quoted(missingWhen.column)} = ${bind(missingWhen.is)}`;
  return `CASE WHEN ${isMissing} THEN ${bind(missing)}::VARCHAR ELSE ${named} END`;
}

function listSql(plan: Plan, bind: Bind): string {
  const dimensions = plan.dimensions.map(({ name }) => rowNames.dimension(name));
  const measures = Object.entries(plan.measures).flatMap(([name, measure]) =>
    measureSql(name, measure, bind),
  );
  const totals = plan.totals.map((name) => {
    return `CAST(sum(${rowNames.measure(name)}) OVER () AS BIGINT) AS ${rowNames.total(name)}`;
  });
  const grouped = `SELECT ${[...dimensions, ...measures].join(', ')} FROM e GROUP BY ${dimensions.join(', ')}`;
  return `, g AS (\n${grouped}\n)
SELECT ${['*', ...totals].join(', ')}
FROM g
ORDER BY ${plan.order.map(orderSql).join(', ')}
LIMIT ${bind(plan.limit)}::BIGINT OFFSET ${bind(plan.offset)}::BIGINT`;
}

function orderSql({ key, direction }: OrderTerm): string {
  if ('dimension' in key) return `${rowNames.dimension(key.dimension)} ${direction}`;
  if ('measure' in key) return `${rowNames.measure(key.measure)} ${direction}`;
  const [of, by] = [rowNames.measure(key.of), rowNames.measure(key.by)];
  return `CASE WHEN ${by} = 0 THEN 0 ELSE CAST(${of} AS DOUBLE) / ${by} END ${direction}`;
}

/** Rows by bucket: measures of events and measures of sessions are grouped apart and joined. */
function bucketRowsSql(plan: Plan, bind: Bind): string {
  const measures = Object.entries(plan.measures);
  const ofEvents = measures.filter(([, measure]) => !isOfSessions(measure));
  const ofSessions = measures.filter(([, measure]) => isOfSessions(measure));
  const grouped = (chosen: [string, Measure][], from: string) => {
    const columns = chosen.flatMap(([name, measure]) => measureSql(name, measure, bind));
    return `SELECT ${[rowNames.bucket, ...columns].join(', ')} FROM ${from} GROUP BY ${rowNames.bucket}`;
  };
  if (ofSessions.length === 0) return `\n${grouped(ofEvents, 'e')}`;
  return `, s AS (
SELECT min(${rowNames.bucket}) AS ${rowNames.bucket}, max(ms) - min(ms) AS duration,
  count(*) FILTER (WHERE "event_name" = ${bind(PAGEVIEW_EVENT)}) AS pageviews
FROM e WHERE "session_id" <> '' GROUP BY "session_id"
)
SELECT * FROM (${grouped(ofEvents, 'e')}) FULL JOIN (${grouped(ofSessions, 's')}) USING (${rowNames.bucket})`;
}

function isOfSessions(measure: Measure): boolean {
  return measure.kind === 'sessions' || measure.kind === 'sessionDuration';
}

function measureSql(name: string, measure: Measure, bind: Bind): string[] {
  const as = rowNames.measure(name);
  switch (measure.kind) {
    case 'count':
      return [`count(*)${measure.where ? whereSql(measure.where, bind) : ''} AS ${as}`];
    case 'distinct':
      return [`count(DISTINCT nullif(${quoted(measure.column)}, '')) AS ${as}`];
    case 'first':
      return [`min(ms) AS ${as}`];
    case 'last':
      return [`max(ms) AS ${as}`];
    case 'sessions': {
      const { pageviews } = measure;
      const where = pageviews === undefined ? '' : ` FILTER (WHERE pageviews = ${bind(pageviews)}::BIGINT)`;
      return [`count(*)${where} AS ${as}`];
    }
    case 'sessionDuration':
      return [
        `quantile_disc(duration, 0.5) AS ${rowNames.lower(name)}`,
        `-quantile_disc(-duration, 0.5) AS ${rowNames.upper(name)}`,
      ];
  }
}

function whereSql(condition: Condition, bind: Bind): string {
  const column = quoted(condition.column);
  if ('is' in condition) return ` FILTER (WHERE ${column} = ${bind(condition.is)})`;
  const others = ['', ...condition.presentAndNot].map((text) => bind(text)).join(', ');
  return ` FILTER (WHERE ${column} NOT IN (${others}))`;
}

function quoted(column: string): string {
  return `"${column}"`;
}
