/**
 * Compiles the structured form of a custom query to SQL: identifiers come from the closed list of columns, values become
 * parameters.
 */

import { nearestName } from '../../shared/errors/nearest-name.ts';
import type { SqlValue } from '../../shared/ports/event-store.ts';
import type { Faults } from '../stages/faults.ts';
import { shown } from '../stages/shown.ts';
import { readDateText } from '../time/date-text.ts';
import { VIEWS } from '../views.ts';
import type { Aggregate, StructuredOperator, StructuredQuery } from './request-schema.ts';

export interface StructuredSql {
  readonly sql: string;
  readonly params: Readonly<Record<string, SqlValue>>;
}

interface Column {
  readonly sql: string;
  readonly type: 'string' | 'number' | 'time' | 'boolean' | 'property';
}

/** A key of the properties; it contains no special characters of a path. */
const PROPERTY = /^properties\.([A-Za-z0-9_-][A-Za-z0-9_ .-]{0,127})$/;
const NUMERIC: ReadonlySet<Aggregate> = new Set(['sum', 'avg', 'median', 'p95']);
const COMPARISONS: Partial<Record<StructuredOperator, string>> = {
  eq: '=',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

/** Faults go to `faults`, below `query`; the result must then not run. */
export function structuredSql(query: StructuredQuery, faults: Faults): StructuredSql {
  const params: Record<string, SqlValue> = {};
  const bind = (value: SqlValue) => {
    const name = `p${Object.keys(params).length}`;
    params[name] = value;
    return `$${name}`;
  };
  const columnOf = (field: string, path: string) => findColumn(query.table, field, path, faults);

  const groups = (query.groupBy ?? []).map((field, at) => ({
    name: field,
    sql: columnOf(field, `query.groupBy[${at}]`).sql,
  }));
  const measures = query.selects.map((select, at) => {
    const path = `query.selects[${at}]`;
    const { aggregate, field = '*', alias } = select;
    const name = alias ?? (field === '*' ? aggregate : `${aggregate}_${field}`);
    if (field === '*') {
      if (aggregate !== 'count') faults.add(`${path}.field`, `${aggregate} needs a column.`);
      return { name, sql: 'count(*)' };
    }
    return { name, sql: measureSql(aggregate, columnOf(field, `${path}.field`), `${path}.field`, faults) };
  });
  const names = new Set<string>();
  for (const { name } of [...groups, ...measures]) {
    if (names.has(name))
      faults.add('query', `Two columns of the answer are named ${shown(name)}; give an alias.`);
    names.add(name);
  }
  const conditions = (query.filters ?? []).map(({ field, op, value }, at) => {
    const path = `query.filters[${at}]`;
    const column = columnOf(field, `${path}.field`);
    return conditionSql(column, op, [value].flat(), bind, `${path}.value`, faults);
  });
  const list = [...groups, ...measures].map(({ name, sql }) => `${sql} AS "${name}"`).join(', ');
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '';
  const by = groups.length > 0 ? ` GROUP BY ${groups.map(({ sql }) => sql).join(', ')}` : '';
  const order = [
    ...measures.slice(0, 1).map(({ name }) => `"${name}" DESC NULLS LAST`),
    ...groups.map(({ name }) => `"${name}" NULLS LAST`),
  ].join(', ');
  return { sql: `SELECT ${list} FROM ${query.table}${where}${by} ORDER BY ${order}`, params };
}

function findColumn(table: string, field: string, path: string, faults: Faults): Column {
  const columns = VIEWS[table] ?? [];
  const found = columns.find(({ name }) => name === field);
  if (found) return { sql: `"${found.name}"`, type: found.type };
  const key = columns.some(({ name }) => name === 'properties') ? PROPERTY.exec(field)?.[1] : undefined;
  if (key !== undefined) return { sql: `json_extract_string(properties, '$."${key}"')`, type: 'property' };
  const names = columns.map(({ name }) => name);
  const nearest = nearestName(field, names);
  const hint = nearest ? `; perhaps ${nearest} was meant` : '';
  faults.add(path, `${shown(field)} is no column of ${table}${hint}. Allowed: ${names.join(', ')}.`);
  return { sql: 'NULL', type: 'string' };
}

function measureSql(aggregate: Aggregate, column: Column, path: string, faults: Faults): string {
  let { sql } = column;
  if (NUMERIC.has(aggregate)) {
    if (column.type === 'property') sql = `TRY_CAST(${sql} AS DOUBLE)`;
    else if (column.type !== 'number') faults.add(path, `${aggregate} needs a column of numbers.`);
  }
  if (aggregate === 'uniq') return `count(DISTINCT ${sql})`;
  if (aggregate === 'p95') return `quantile_cont(${sql}, 0.95)`;
  return `${aggregate}(${sql})`;
}

type Bind = (value: SqlValue) => string;

function conditionSql(
  column: Column,
  op: StructuredOperator,
  values: readonly (string | number | boolean)[],
  bind: Bind,
  path: string,
  faults: Faults,
): string {
  const comparison = COMPARISONS[op];
  if (comparison !== undefined) {
    const [value = ''] = values;
    const isOrder = op !== 'eq';
    if (isOrder && column.type === 'property') {
      return `TRY_CAST(${column.sql} AS DOUBLE) ${comparison} ${bind(asNumber(value, path, faults))}`;
    }
    if (isOrder && column.type !== 'number' && column.type !== 'time') {
      faults.add(path.replace(/value$/, 'op'), `${op} needs a column of numbers or times.`);
    }
    return `${column.sql} ${comparison} ${bindAs(column, value, bind, path, faults)}`;
  }
  switch (op) {
    case 'ne':
    case 'not_in':
      return `(${column.sql} IS NULL OR ${column.sql} NOT IN (${values.map((value) => bindAs(column, value, bind, path, faults)).join(', ') || 'NULL'}))`;
    case 'in':
      return values.length === 0
        ? 'false'
        : `${column.sql} IN (${values.map((value) => bindAs(column, value, bind, path, faults)).join(', ')})`;
    default: {
      const text = `CAST(${column.sql} AS VARCHAR)`;
      const value = bind(String(values[0] ?? ''));
      if (op === 'starts_with') return `starts_with(${text}, ${value})`;
      return op === 'contains'
        ? `contains(${text}, ${value})`
        : `NOT coalesce(contains(${text}, ${value}), false)`;
    }
  }
}

/** The value in the type of its column. */
function bindAs(
  { type }: Column,
  value: string | number | boolean,
  bind: Bind,
  path: string,
  faults: Faults,
): string {
  switch (type) {
    case 'number':
      return bind(asNumber(value, path, faults));
    case 'boolean':
      if (!['true', 'false'].includes(String(value)))
        faults.add(path, `${shown(value)} is not true or false.`);
      return bind(String(value) === 'true');
    case 'time': {
      const date = readDateText(String(value));
      if ('message' in date) faults.add(path, date.message);
      const instant = 'instant' in date ? date.instant : 'local' in date ? date.local : 0;
      return `make_timestamp(${bind(instant)} * 1000)`;
    }
    default:
      return bind(String(value));
  }
}

function asNumber(value: string | number | boolean, path: string, faults: Faults): number {
  const number = typeof value === 'boolean' || value === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number)) faults.add(path, `${shown(value)} is no number.`);
  return number;
}
