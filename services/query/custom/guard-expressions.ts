/** Judges the expressions of a custom query: which kinds, functions, types and constants are allowed. */
import { nearestName } from '../../shared/errors/nearest-name.ts';
import { ALLOWED_FUNCTIONS, isAllowedFunction } from './allowed-functions.ts';
import {
  type Check,
  checkFields,
  deeper,
  each,
  type Fields,
  harmless,
  isNode,
  name,
  nothing,
  optional,
  type Place,
  refuse,
  wordOf,
} from './guarded-query.ts';

/** Judges a whole query node; the guard provides it, since expressions contain subqueries. */
type CheckQuery = Check;

const FUNCTION_KINDS = `${Object.keys(ALLOWED_FUNCTIONS).join(', ')} functions (docs/custom-sql.md lists them)`;

/** Names that look like columns but reveal details of the engine. */
const SESSION_NAMES: ReadonlySet<string> = new Set([
  'current_catalog',
  'current_database',
  'current_role',
  'current_schema',
  'current_user',
  'session_user',
]);

const OPERATORS = [
  'ARRAY_EXTRACT',
  'ARRAY_SLICE',
  'ARRAY_CONSTRUCTOR',
  'COMPARE_IN',
  'COMPARE_NOT_IN',
  'GROUPING_FUNCTION',
  'OPERATOR_COALESCE',
  'OPERATOR_IS_NOT_NULL',
  'OPERATOR_IS_NULL',
  'OPERATOR_NOT',
  'OPERATOR_NULLIF',
  'OPERATOR_TRY',
  'STRUCT_EXTRACT',
];

const SCALAR_TYPES =
  words(`NULL BOOLEAN TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT UHUGEINT
  FLOAT DOUBLE DECIMAL VARCHAR DATE TIME TIMESTAMP TIMESTAMP_S TIMESTAMP_MS TIMESTAMP_NS INTERVAL UUID INTEGER_LITERAL
  STRING_LITERAL`).concat(['TIMESTAMP WITH TIME ZONE', 'TIME WITH TIME ZONE']);
const NESTED_TYPES = ['LIST', 'STRUCT', 'MAP', 'ARRAY'];
/** Types that the parser does not resolve. */
const NAMED_TYPES: ReadonlySet<string> = new Set(['json']);

function words(text: string): string[] {
  return text.split(/\s+/);
}

/** The check of any expression. */
export function createExpressionCheck(checkQuery: CheckQuery): Check {
  const expression: Check = (value, at) => {
    const { node, place } = deeper(value, at);
    const fields = typeof node.class === 'string' ? KINDS[node.class] : undefined;
    if (!fields) refuse(place, `${kindText(node.class)} not allowed`);
    checkFields(node, { ...COMMON, ...fields }, place);
  };
  const expressions = each(expression);
  const maybe = optional(expression);

  const order: Check = (value, at) => {
    const { node, place } = deeper(value, at);
    checkFields(node, { type: harmless, null_order: harmless, expression }, place);
  };
  const orders = each(order);

  const COMMON: Fields = { class: harmless, type: harmless, alias: name, query_location: harmless };
  const CALL: Fields = {
    function_name: allowedFunction,
    schema: wordOf('schema', ['', 'main']),
    catalog: nothing('a function of another catalog'),
    children: expressions,
    distinct: harmless,
  };
  const KINDS: Readonly<Record<string, Fields>> = {
    BETWEEN: { input: expression, lower: expression, upper: expression },
    CASE: {
      case_checks: each((value, at) => {
        const { node, place } = deeper(value, at);
        checkFields(node, { when_expr: expression, then_expr: expression }, place);
      }),
      else_expr: maybe,
    },
    CAST: { child: expression, cast_type: type, try_cast: harmless },
    COLUMN_REF: { column_names: columnNames },
    COMPARISON: { left: expression, right: expression },
    CONJUNCTION: { children: expressions },
    CONSTANT: { value: constant },
    FUNCTION: {
      ...CALL,
      filter: maybe,
      order_bys: optional((value, at) => {
        const { node, place } = deeper(value, at);
        checkFields(node, { type: harmless, orders }, place);
      }),
      is_operator: harmless,
      export_state: nothing('the export of a state'),
    },
    LAMBDA: { lhs: expression, expr: expression, syntax_type: harmless },
    OPERATOR: { type: wordOf('operator', OPERATORS), children: expressions },
    PARAMETER: { identifier: parameter },
    STAR: {
      relation_name: name,
      exclude_list: each(name),
      replace_list: each(keyed(expression)),
      // ORDER BY ALL is represented as COLUMNS(*).
      columns: (value, place) => place.clause === 'ORDER BY' || nothing('COLUMNS()')(value, place),
      expr: nothing('COLUMNS()'),
      qualified_exclude_list: nothing('a qualified name in EXCLUDE'),
      rename_list: nothing('RENAME'),
      class: (_value, place) => {
        place.uses.allColumns = true;
      },
    },
    SUBQUERY: {
      subquery_type: harmless,
      subquery: statementIn(checkQuery),
      child: maybe,
      comparison_type: harmless,
    },
    WINDOW: {
      ...CALL,
      partitions: expressions,
      orders,
      start: harmless,
      end: harmless,
      start_expr: maybe,
      end_expr: maybe,
      offset_expr: maybe,
      default_expr: maybe,
      ignore_nulls: harmless,
      filter_expr: maybe,
      exclude_clause: harmless,
      arg_orders: orders,
    },
  };
  return expression;
}

/** A query with its map of parameters, as it appears below other nodes. */
export function statementIn(checkQuery: CheckQuery): Check {
  return (value, at) => {
    const { node, place } = deeper(value, at);
    checkFields(node, { node: checkQuery, named_param_map: parameterMap }, place);
  };
}

/** Names that the parameters themselves were judged by, wherever they occur. */
export const parameterMap: Check = each((value, place) => {
  if (!isNode(value)) refuse(place, 'this form is not allowed');
});

/** Pairs of a name and a value that `check` judges. */
function keyed(check: Check): Check {
  return (value, at) => {
    const { node, place } = deeper(value, at);
    checkFields(node, { key: name, value: check }, place);
  };
}

function kindText(kind: unknown): string {
  if (kind === 'POSITIONAL_REFERENCE') return 'a column by its position (#1), ARRAY(SELECT …) included, is';
  return `an expression of kind ${typeof kind === 'string' ? kind.toLowerCase() : 'unknown'} is`;
}

function allowedFunction(value: unknown, place: Place): void {
  if (typeof value === 'string' && isAllowedFunction(value)) return;
  const known = Object.values(ALLOWED_FUNCTIONS).flat();
  const nearest = typeof value === 'string' ? nearestName(value.toLowerCase(), known) : undefined;
  const text = `the function ${JSON.stringify(value).slice(0, 80)} is not allowed`;
  refuse(place, nearest ? `${text}; perhaps ${nearest} was meant` : text, FUNCTION_KINDS);
}

function columnNames(value: unknown, place: Place): void {
  if (!Array.isArray(value) || value.length > 4) refuse(place, 'this name has too many parts');
  for (const part of value) {
    name(part, place);
    const text = String(part).toLowerCase();
    if (value.length === 1 && SESSION_NAMES.has(text)) refuse(place, `${text} is not allowed`);
    place.uses.columns.add(text);
  }
}

function parameter(value: unknown, place: Place): void {
  if (typeof value !== 'string' || !/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(value)) {
    refuse(place, `the parameter ${JSON.stringify(value)} is not allowed`, '$name, with its value in params');
  }
  place.uses.parameters.add(value);
}

function constant(value: unknown, at: Place): void {
  const { node, place } = deeper(value, at);
  checkFields(node, { type, is_null: harmless, value: constantValue }, place);
}

/** A number of more than 64 bits comes as its two halves. */
function constantValue(value: unknown, at: Place): void {
  if (!isNode(value)) harmless(value, at);
  else checkFields(value, { upper: harmless, lower: harmless }, at);
}

function type(value: unknown, at: Place): void {
  const { node, place } = deeper(value, at);
  const id = node.id;
  if (id === 'UNBOUND') {
    const named = isNode(node.type_info) ? node.type_info.name : undefined;
    const modifiers = isNode(node.type_info) ? node.type_info.user_type_modifiers : undefined;
    const isKnown = typeof named === 'string' && NAMED_TYPES.has(named.toLowerCase());
    if (!isKnown || (Array.isArray(modifiers) && modifiers.length > 0)) refuseType(named, place);
    return;
  }
  if (typeof id !== 'string' || !(SCALAR_TYPES.includes(id) || NESTED_TYPES.includes(id))) {
    refuseType(id, place);
  }
  checkFields(node, { id: harmless, type_info: optional(typeInfo) }, place);
}

function typeInfo(value: unknown, at: Place): void {
  const { node, place } = deeper(value, at);
  checkFields(
    node,
    {
      type: wordOf('type', [
        'DECIMAL_TYPE_INFO',
        'LIST_TYPE_INFO',
        'STRUCT_TYPE_INFO',
        'ARRAY_TYPE_INFO',
        'STRING_TYPE_INFO',
        'INTEGER_LITERAL_TYPE_INFO',
      ]),
      alias: nothing('a named type'),
      extension_info: nothing('a type of an extension'),
      modifiers: nothing('a modifier of a type'),
      width: harmless,
      scale: harmless,
      size: harmless,
      collation: nothing('a collation'),
      constant_value: harmless,
      child_type: type,
      child_types: each((pair, inner) => {
        const { node: entry, place: below } = deeper(pair, inner);
        checkFields(entry, { first: name, second: type }, below);
      }),
    },
    place,
  );
}

function refuseType(id: unknown, place: Place): never {
  const allowed =
    'BOOLEAN, integers, DOUBLE, DECIMAL, VARCHAR, DATE, TIME, TIMESTAMP, INTERVAL, UUID, JSON, lists, structs, maps';
  refuse(place, `the type ${JSON.stringify(id)} is not allowed`, allowed);
}
