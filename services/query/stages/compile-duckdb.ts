/** Stage 5 for DuckDB: a plan becomes one SQL statement. Names come from the catalogue, every value is a parameter. */

import type { CompiledQuery, SqlValue } from '../../shared/ports/event-store.ts';
import { dimension } from '../catalogue/dimensions.ts';
import { type Condition, isOfSessions, type Measure } from '../catalogue/measure.ts';
import { IS_PAGEVIEW } from '../catalogue/measures.ts';
import { MAX_ROWS_PER_CALL } from './answer-budget.ts';
import { setsOfSeries } from './bundle-series.ts';
import { bucketIndexSql } from './duckdb/bucket-sql.ts';
import { bundlePageSql, bundleRowsSql } from './duckdb/bundle-sql.ts';
import { filterSql } from './duckdb/filter-sql.ts';
import { sessionGoal } from './duckdb/goals-sql.ts';
import { compileMeasures, groupSetsSql, groupSql } from './duckdb/group-sql.ts';
import { listPageSql, listRowsSql } from './duckdb/list-sql.ts';
import {
  atEdge,
  atEntry,
  pageColumn,
  sessionConditionSql,
  textColumn,
  UNTIL_NEXT,
  VISITOR,
} from './duckdb/measure-sql.ts';
import { sequenceSql } from './duckdb/sequence-sql.ts';
import {
  type Bind,
  conditionSql,
  filterClause,
  orMissing,
  PAIR_COLUMNS,
  quoted,
  textSql,
} from './duckdb/text-sql.ts';
import type { QueryPlan } from './query-plan.ts';
import type { Reach } from './resolve.ts';
import { rowNames } from './row-names.ts';

/**
 * `e` holds the events of the plan, or their properties, with every column that is read later; `s` their sessions, if
 * the plan counts any; `r` the rows of a list or of a sequence. Later steps group, order and cut them.
 */
export function compileDuckDb(plan: QueryPlan): CompiledQuery {
  const params: Record<string, SqlValue> = {};
  let bound = 0;
  const bind: Bind = (value) => {
    const name = `p${++bound}`;
    params[name] = value;
    return `$${name}`;
  };
  // Two scans of a few columns cost less than keeping their rows, except where properties are expanded.
  const materialized = plan.unit === 'properties' ? '' : 'NOT MATERIALIZED ';
  const sequence = plan.sequence ? sequenceSql(plan, plan.sequence, bind) : null;
  const further = sequence?.columns ?? (plan.goal ? sessionGoal.ofEvents(plan.goal, bind) : []);
  const sources = [`e AS ${materialized}(\n${eventsSql(plan, further, bind)}\n)`];
  if (countsSessions(plan)) sources.push(`s AS (\n${sessionsSql(plan, bind)}\n)`);
  if (sequence) sources.push(...sequence.sources);
  else if (plan.lists) sources.push(`r AS (\n${bundleRowsSql(plan, plan.lists, bind)}\n)`);
  else if (plan.kind === 'list') sources.push(`r AS (\n${listRowsSql(plan, bind)}\n)`);
  return { engine: 'duckdb', sql: `WITH ${sources.join(', ')}${rowsSql(plan, bind)}`, params };
}

function rowsSql(plan: QueryPlan, bind: Bind): string {
  if (plan.lists) return bundlePageSql(plan, plan.lists, bind);
  if (plan.kind === 'list') return listPageSql(plan, bind);
  return plan.sequence ? '\nSELECT * FROM r' : bucketRowsSql(plan, bind);
}

function countsSessions(plan: QueryPlan): boolean {
  return plan.unit === 'sessions' || Object.values(plan.measures).some(isOfSessions);
}

/** The one scan. */
function eventsSql(plan: QueryPlan, further: readonly string[], bind: Bind): string {
  const dimensions = plan.dimensions.map((dimension) => {
    const value = textSql(dimension, bind);
    const named = plan.unit === 'sessions' ? value : orMissing(value, dimension, bind);
    return `${named} AS ${rowNames.dimension(dimension.name)}`;
  });
  const texts = Object.entries(plan.measures).flatMap(([name, measure]) =>
    measure.kind === 'text' ? [`${textSql(measure.text, bind)} AS ${textColumn(name)}`] : [],
  );
  const bucket = plan.kind === 'list' && plan.buckets.length === 0 ? [] : bucketColumns(plan, bind);
  const columns = [...neededColumns(plan)].map(quoted);
  const select = [
    'epoch_ms("timestamp") AS ms',
    ...bucket,
    ...dimensions,
    ...texts,
    ...columns,
    ...further,
  ].join(', ');
  const where = conditionsSql(plan, bind).join('\n  AND ');
  if (asksUntilNext(plan))
    return `SELECT ${select}, ${UNTIL_NEXT}\nFROM ${followedSql(plan, bind)}\nWHERE ${where}`;
  if (plan.unit !== 'properties') return `SELECT ${select}\nFROM events\nWHERE ${where}`;
  // Conditions apply to events, before their properties are expanded.
  return `SELECT ${select}\nFROM (SELECT events.*, pair."key" AS ${PAIR_COLUMNS.key},
  json_extract_string(pair."value", '$') AS ${PAIR_COLUMNS.value}
FROM (SELECT * FROM events WHERE ${where}) AS events, json_each(events."properties") AS pair)
WHERE ${PAIR_COLUMNS.value} IS NOT NULL`;
}

/** The bucket of the instant `ms`; for several series, that of each. */
function bucketColumns({ buckets, series }: QueryPlan, bind: Bind): string[] {
  if (!series) return [`${bucketIndexSql(buckets, bind)} AS ${rowNames.bucket}`];
  return series.map((own, index) => `${bucketIndexSql(own, bind)} AS ${rowNames.bucketOf(index)}`);
}

function asksUntilNext({ measures }: QueryPlan): boolean {
  return Object.values(measures).some(({ kind }) => kind === 'untilNext');
}

/** Events with the time until the next one, in the order in which the list shows them, before filters leave some out. */
function followedSql(plan: QueryPlan, bind: Bind): string {
  const where = [...baseSql(plan, bind), ...onlySql(plan, bind)].join(' AND ');
  const keys = [
    '"timestamp"',
    ...plan.dimensions.map((dimension) => `${textSql(dimension, bind)} NULLS FIRST`),
  ];
  const next = `lead("timestamp") OVER (PARTITION BY "session_id" ORDER BY ${keys.join(', ')})`;
  return `(SELECT *, epoch_ms(${next}) - epoch_ms("timestamp") AS ${UNTIL_NEXT} FROM events WHERE ${where})`;
}

function neededColumns(plan: QueryPlan): Set<string> {
  const needed = new Set<string>();
  for (const measure of Object.values(plan.measures)) {
    if ('column' in measure) needed.add(measure.column);
    if ((measure.kind === 'count' || measure.kind === 'distinct' || isEdge(measure)) && measure.where) {
      for (const column of columnsOf(measure.where)) needed.add(column);
    }
    if (measure.kind === 'propertySum') needed.add('properties');
    if (measure.kind === 'sessionsBy') needed.add('path');
    if (measure.kind === 'sessionVisitors') needed.add('anonymous_id');
    if (measure.kind === 'sessions' && measure.where && 'interactions' in measure.where) {
      needed.add('interaction_count');
    }
  }
  if (countsSessions(plan)) needed.add('session_id').add('event_name');
  return needed;
}

function isEdge(measure: Measure): measure is Extract<Measure, { kind: 'first' | 'last' }> {
  return measure.kind === 'first' || measure.kind === 'last';
}

function columnsOf(condition: Condition): string[] {
  if ('ranges' in condition) return [condition.number, condition.of];
  return ['number' in condition ? condition.number : condition.column];
}

function conditionsSql(plan: QueryPlan, bind: Bind): string[] {
  const { scope } = plan;
  const conditions = baseSql(plan, bind);
  const base = conditions.join(' AND ');
  if (scope.events !== 'all') {
    const names = scope.names.map((name) => bind(name)).join(', ');
    conditions.push(`"event_name" ${scope.events === 'only' ? 'IN' : 'NOT IN'} (${names})`);
  }
  if (plan.needs !== undefined) conditions.push(`${quoted(plan.needs)} <> ''`);
  const filters = plan.filters.map((filter) => filterSql(filter, base, bind));
  return [...conditions, ...onlySql(plan, bind), ...filters];
}

/** What holds of all events of the plan, whatever it asks of them: sessions and visitors are judged by these. */
function baseSql({ reach, range }: QueryPlan, bind: Bind): string[] {
  return [
    ...reachSql(reach, bind),
    `"timestamp" >= epoch_ms(${bind(range.from)}::BIGINT)`,
    `"timestamp" < epoch_ms(${bind(range.to)}::BIGINT)`,
    'NOT "is_bot"',
  ];
}

function onlySql(plan: QueryPlan, bind: Bind): string[] {
  return plan.onlyWhere ? [filterSql(plan.onlyWhere, baseSql(plan, bind).join(' AND '), bind)] : [];
}

function reachSql(reach: Reach, bind: Bind): string[] {
  const link = reach.linkId === undefined ? [] : [`"link_id" = ${bind(reach.linkId)}`];
  const [only, ...others] = reach.websiteIds;
  if (only !== undefined && others.length === 0 && !reach.organizationEvents) {
    const website = `"website_id" = ${bind(only)}`;
    // Not `=`, which the engine would test on every row of a block: here only the rows left for the website are examined.
    return [website, `"organization_id" IS NOT DISTINCT FROM ${bind(reach.organizationId)}`, ...link];
  }
  const organization = `"organization_id" = ${bind(reach.organizationId)}`;
  const websites =
    only !== undefined && others.length === 0
      ? `"website_id" = ${bind(only)}`
      : `"website_id" IN (SELECT unnest(${bind(reach.websiteIds)}::VARCHAR[]))`;
  const events = reach.organizationEvents ? `("website_id" IS NULL OR ${websites})` : websites;
  return [organization, events, ...link];
}

/** A row per session, with the facts that are needed about it. */
function sessionsSql(plan: QueryPlan, bind: Bind): string {
  const measures = Object.values(plan.measures);
  const asks = (key: 'pageviews' | 'interactions') =>
    [
      plan.sessions,
      ...measures.map((measure) =>
        measure.kind === 'sessions' || measure.kind === 'sessionsBy' ? measure.where : undefined,
      ),
    ].some((condition) => condition !== undefined && key in condition);
  const counted = (condition: string, as: string) => `count(*)${filterClause(condition)} AS ${as}`;
  const ofSessions = plan.unit === 'sessions';
  // Else a session is grouped with the events of a group.
  const pages = new Set(measures.flatMap((measure) => (measure.kind === 'sessionsBy' ? [measure.page] : [])));
  const isCut = !ofSessions && pages.size === 0;
  const keys = isCut ? plan.dimensions.map(({ name }) => rowNames.dimension(name)) : [];
  const columns = [
    ...(ofSessions ? plan.dimensions.map((dimension) => sessionTextSql(dimension, bind)) : keys),
    ...[...pages].map((at) => `${pageSql(at, bind)} AS ${pageColumn(at)}`),
    'max(ms) - min(ms) AS duration',
    ...(plan.goal ? sessionGoal.ofSessions(plan.goal) : []),
    ...(asks('pageviews') || measures.some(({ kind }) => kind === 'sessionPageviews')
      ? [counted(conditionSql(IS_PAGEVIEW, bind), 'pageviews')]
      : []),
    ...(asks('interactions') ? [counted('"interaction_count" > 0', 'interactions')] : []),
    ...(measures.some(({ kind }) => kind === 'sessionVisitors')
      ? [`arg_min("anonymous_id", (ms, "anonymous_id"))${filterClause(`"anonymous_id" <> ''`)} AS ${VISITOR}`]
      : []),
  ];
  const having = plan.sessions ? `\nHAVING ${sessionConditionSql(plan.sessions)}` : '';
  const sessions = (select: readonly string[]) =>
    `SELECT ${select.join(', ')}\nFROM e WHERE "session_id" <> '' GROUP BY ${['"session_id"', ...keys].join(', ')}${having}`;
  if (plan.kind === 'list') return sessions(columns);
  // Bucketing a session's first instant is cheaper than finding the smallest bucket among its events.
  return `SELECT *, ${bucketColumns(plan, bind).join(', ')}\nFROM (${sessions(['min(ms) AS ms', ...columns])})`;
}

function pageSql(at: 'first' | 'last', bind: Bind): string {
  const page = atEdge(`nullif("path", '')`, at, conditionSql(IS_PAGEVIEW, bind));
  return orMissing(page, dimension('path'), bind);
}

function sessionTextSql(dimension: QueryPlan['dimensions'][number], bind: Bind): string {
  const column = rowNames.dimension(dimension.name);
  const { at = 'first' } = dimension;
  const where = dimension.where ? conditionSql(dimension.where, bind) : null;
  const text = at === 'entry' ? atEntry(column, conditionSql(IS_PAGEVIEW, bind)) : atEdge(column, at, where);
  return `${orMissing(text, dimension, bind)} AS ${column}`;
}

/** Rows by bucket: measures of events and of sessions are grouped separately and joined. */
function bucketRowsSql(plan: QueryPlan, bind: Bind): string {
  const measures = Object.entries(plan.measures);
  const sets = plan.series && setsOfSeries(plan.series).map(({ dimensions }) => dimensions);
  const keys = sets
    ? [rowNames.list, rowNames.bucket]
    : [rowNames.bucket, ...plan.dimensions.map(({ name }) => rowNames.dimension(name))];
  const grouped = (chosen: [string, Measure][], from: string) => {
    const compiled = compileMeasures(chosen, bind);
    const columns = [...keys, ...compiled.flatMap(({ selected }) => selected)].join(', ');
    const groups = sets
      ? groupSetsSql(sets, [rowNames.bucket], compiled, from)
      : groupSql(keys, compiled, from);
    return `SELECT ${columns} FROM (${groups})`;
  };
  const ofEvents = grouped(
    measures.filter(([, measure]) => !isOfSessions(measure)),
    'e',
  );
  // One more than answers may hold, so that too many are noticed.
  const bound = plan.dimensions.length === 0 ? '' : `\nLIMIT ${MAX_ROWS_PER_CALL + 1}`;
  if (!countsSessions(plan)) return `\n${ofEvents}${bound}`;
  const ofSessions = grouped(
    measures.filter(([, measure]) => isOfSessions(measure)),
    's',
  );
  return `\nSELECT * FROM (${ofEvents}) FULL JOIN (${ofSessions}) USING (${keys.join(', ')})${bound}`;
}
