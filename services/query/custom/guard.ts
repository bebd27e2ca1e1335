/**
 * The guard of custom SQL: one SELECT over the views, with allowed kinds of nodes only, judged on DuckDB's own syntax
 * tree.
 */

import { VIEWS } from '../views.ts';
import { createExpressionCheck, statementIn } from './guard-expressions.ts';
import {
  type Check,
  checkFields,
  deeper,
  each,
  type Fields,
  harmless,
  inClause,
  isNode,
  MAX_TABLES,
  name,
  nothing,
  optional,
  type Place,
  RefusedQuery,
  refuse,
  type TreeNode,
  type Uses,
  VIEW_LIST,
  wordOf,
} from './guarded-query.ts';

/** Names of the engine's own tables start like this; no CTE may use such a name. */
const SYSTEM_NAME = /^(?:duckdb|pg|pragma|sqlite|information_schema|tidegate)_?/;

const ONE_SELECT = 'one SELECT; WITH, UNION, INTERSECT and EXCEPT included';

/**
 * Judges the syntax tree of a query (`json_serialize_sql`) and returns what it uses.
 * @throws RefusedQuery that names the clause
 */
export function guard(tree: unknown): Uses {
  const statements = statementsOf(tree);
  const [statement] = statements;
  if (statements.length !== 1) {
    throw new RefusedQuery(`The query has ${statements.length} statements; exactly one SELECT is allowed.`);
  }
  const uses: Uses = {
    views: new Set(),
    columns: new Set(),
    tables: new Set(),
    parameters: new Set(),
    allColumns: false,
    nodes: 0,
    tableCount: 0,
  };
  const place: Place = { uses, clause: 'Query', ctes: new Set(), depth: 0 };
  statementIn(query)(statement, place);
  // A column reference that names a table returns its whole row.
  if ([...uses.columns].some((column) => uses.tables.has(column))) uses.allColumns = true;
  return uses;
}

function statementsOf(tree: unknown): unknown[] {
  if (!isNode(tree)) throw new RefusedQuery('The query cannot be read.');
  if (tree.error !== false) {
    const text = typeof tree.error_message === 'string' ? tree.error_message : 'it cannot be read';
    // The engine's own word for a statement other than SELECT.
    if (tree.error_type === 'not implemented') {
      throw new RefusedQuery(`Query: this kind of statement is not allowed. Allowed: ${ONE_SELECT}.`);
    }
    if (text.startsWith('Max expression depth')) throw new RefusedQuery('Query: nested too deeply.');
    throw new RefusedQuery(`Query: ${text.split('\n')[0]}.`);
  }
  return Array.isArray(tree.statements) ? tree.statements : [];
}

const expression: Check = createExpressionCheck((value, place) => query(value, place));
const expressions = each(expression);
const maybe = optional(expression);

/** A query: its own CTEs are visible in all of it, and each CTE only in those after it. */
function query(value: unknown, at: Place): void {
  const { node, place } = deeper(value, at);
  const fields = typeof node.type === 'string' ? QUERIES[node.type] : undefined;
  if (!fields) {
    if (node.type === 'RECURSIVE_CTE_NODE')
      refuse(place, 'a recursive WITH is not allowed', 'WITH without RECURSIVE');
    refuse(place, `a query of kind ${JSON.stringify(node.type)} is not allowed`, ONE_SELECT);
  }
  const ctes = withCtes(node.cte_map, { ...place, clause: 'WITH' });
  checkFields(node, { ...fields, cte_map: () => undefined }, { ...place, ctes });
}

function withCtes(value: unknown, at: Place): ReadonlySet<string> {
  const { node: map, place } = deeper(value, at);
  checkFields(map, { map: each(() => undefined) }, place);
  let ctes = at.ctes;
  for (const entry of map.map as unknown[]) {
    const { node, place: inner } = deeper(entry, { ...place, ctes });
    const key = node.key;
    if (typeof key !== 'string' || !/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(key)) {
      refuse(inner, 'a name is not allowed', 'letters, digits and _');
    }
    if (SYSTEM_NAME.test(key.toLowerCase())) refuse(inner, `the name "${key}" is not allowed`);
    checkFields(node, { key: harmless, value: cte }, inner);
    at.uses.tables.add(key.toLowerCase());
    ctes = new Set([...ctes, key.toLowerCase()]);
  }
  return ctes;
}

function cte(value: unknown, at: Place): void {
  const { node, place } = deeper(value, at);
  checkFields(
    node,
    {
      aliases: each(name),
      query: statementIn(query),
      materialized: harmless,
      key_targets: nothing('USING KEY'),
    },
    place,
  );
}

function table(value: unknown, at: Place): void {
  const { node, place } = deeper(value, at);
  place.uses.tableCount += 1;
  if (place.uses.tableCount > MAX_TABLES) refuse(place, `more than ${MAX_TABLES} tables in one query`);
  const fields = typeof node.type === 'string' ? TABLES[node.type] : undefined;
  if (!fields) refuse(place, tableText(node), `the views ${VIEW_LIST}, subqueries, VALUES, UNNEST`);
  if (typeof node.alias === 'string') place.uses.tables.add(node.alias.toLowerCase());
  checkFields(node, { ...TABLE_COMMON, ...fields }, place);
}

function tableText(node: TreeNode): string {
  if (node.type === 'SHOW_REF') return 'DESCRIBE, SHOW and SUMMARIZE are not allowed';
  return `a table of kind ${String(node.type).toLowerCase().replaceAll('_', ' ')} is not allowed`;
}

function tableName(value: unknown, place: Place): void {
  const key = typeof value === 'string' ? value.toLowerCase() : '';
  place.uses.tables.add(key);
  if (place.ctes.has(key)) return;
  if (!Object.hasOwn(VIEWS, key)) {
    refuse(place, `the table ${JSON.stringify(value).slice(0, 80)} is not allowed`, `the views ${VIEW_LIST}`);
  }
  place.uses.views.add(key);
}

/** Only UNNEST: every other table function reads files or settings, or produces rows without end. */
function tableFunction(value: unknown, place: Place): void {
  const called = isNode(value) ? value.function_name : undefined;
  const isUnnest = typeof called === 'string' && called.toLowerCase() === 'unnest';
  if (!isUnnest) {
    const text = `the table function ${JSON.stringify(called ?? null).slice(0, 80)} is not allowed`;
    refuse(place, text, `UNNEST, and the views ${VIEW_LIST}`);
  }
  expression(value, place);
}

const TABLE_COMMON: Fields = {
  type: harmless,
  alias: name,
  sample: nothing('a sample'),
  query_location: harmless,
};
const NAMES = each(name);

function usedNames(value: unknown, place: Place): void {
  NAMES(value, place);
  for (const used of value as string[]) place.uses.columns.add(used.toLowerCase());
}

const TABLES: Readonly<Record<string, Fields>> = {
  BASE_TABLE: {
    schema_name: nothing('a schema'),
    catalog_name: nothing('a catalog'),
    table_name: tableName,
    column_name_alias: (value, place) => {
      NAMES(value, place);
      // Renamed by position, so that every column counts.
      if (Array.isArray(value) && value.length > 0) place.uses.allColumns = true;
    },
    at_clause: nothing('AT'),
  },
  EMPTY: {},
  EXPRESSION_LIST: {
    expected_names: NAMES,
    expected_types: nothing('a list of types'),
    values: each(expressions),
  },
  JOIN: {
    left: table,
    right: table,
    condition: inClause('JOIN', maybe),
    join_type: wordOf('join', ['INNER', 'LEFT', 'RIGHT', 'FULL', 'OUTER', 'SEMI', 'ANTI']),
    ref_type: (value, place) => {
      wordOf('join', ['REGULAR', 'CROSS', 'NATURAL', 'ASOF'])(value, place);
      if (value === 'NATURAL') place.uses.allColumns = true;
    },
    using_columns: usedNames,
    delim_flipped: nothing('this join'),
    duplicate_eliminated_columns: nothing('this join'),
  },
  SUBQUERY: { subquery: statementIn(query), column_name_alias: NAMES },
  TABLE_FUNCTION: { function: tableFunction, column_name_alias: NAMES, with_ordinality: harmless },
};

const orders = each((value, at) => {
  const { node, place } = deeper(value, at);
  checkFields(node, { type: harmless, null_order: harmless, expression }, place);
});

const MODIFIERS: Readonly<Record<string, Fields>> = {
  ORDER_MODIFIER: { type: harmless, orders: inClause('ORDER BY', orders) },
  LIMIT_MODIFIER: { type: harmless, limit: inClause('LIMIT', maybe), offset: inClause('OFFSET', maybe) },
  LIMIT_PERCENT_MODIFIER: {
    type: harmless,
    limit: inClause('LIMIT', maybe),
    offset: inClause('OFFSET', maybe),
  },
  DISTINCT_MODIFIER: { type: harmless, distinct_on_targets: inClause('DISTINCT ON', expressions) },
};

const modifiers = each((value, at) => {
  const { node, place } = deeper(value, at);
  const fields = typeof node.type === 'string' ? MODIFIERS[node.type] : undefined;
  if (!fields) refuse(place, 'this clause is not allowed');
  checkFields(node, fields, place);
});

const QUERIES: Readonly<Record<string, Fields>> = {
  SELECT_NODE: {
    type: harmless,
    modifiers,
    select_list: inClause('SELECT', expressions),
    from_table: inClause('FROM', table),
    where_clause: inClause('WHERE', maybe),
    group_expressions: inClause('GROUP BY', expressions),
    group_sets: each(each(harmless)),
    aggregate_handling: harmless,
    having: inClause('HAVING', maybe),
    sample: nothing('a sample'),
    qualify: inClause('QUALIFY', maybe),
  },
  SET_OPERATION_NODE: {
    type: harmless,
    modifiers,
    setop_type: wordOf('operation', ['UNION', 'INTERSECT', 'EXCEPT', 'UNION_BY_NAME']),
    setop_all: harmless,
    left: query,
    right: query,
  },
};
