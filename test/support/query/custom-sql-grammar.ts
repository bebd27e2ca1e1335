/** A small grammar of custom SQL for fast-check: every clause, nested, with functions of the allow-list over odd arguments. */
import fc from 'fast-check';
import { ALLOWED_FUNCTIONS } from '../../../services/query/custom/allowed-functions.ts';

/** Values that a parameter may have, of every kind that the schema lets in, ends of ranges included. */
export const ODD_VALUES: Readonly<Record<string, unknown>> = {
  text: 'path',
  empty: '',
  digits: '1',
  markup: "'; DROP TABLE x --",
  zero: 0,
  one: 1,
  negative: -1,
  fraction: 1.5,
  huge: 1e308,
  large: 9_007_199_254_740_991,
  yes: true,
  nothing: null,
  texts: ['a', 'b'],
  numbers: [1, 2],
  none: [],
};

const FUNCTIONS = Object.values(ALLOWED_FUNCTIONS).flat();
const COLUMNS = ['path', 'country', 'timestamp', 'load_time', 'is_bot', 'properties'];
const LITERALS = [
  ...['1', '-1', '0', '1.5', "'a'", "''", 'NULL', 'TRUE', '[]', '[1, NULL]', '{a: 1}', 'MAP {1: 2}', "'\\x'"],
  ...[
    "DATE '2025-01-01'",
    "TIMESTAMP '9999-12-31'",
    'INTERVAL 1 MONTH',
    '170141183460469231731687303715884105727',
  ],
];
const TYPES = [
  'INTEGER',
  'VARCHAR',
  'DATE',
  'DECIMAL(38, 37)',
  'JSON',
  'UUID',
  'INTERVAL',
  'INTEGER[]',
  'HUGEINT',
  'TIME',
];
const OPERATORS = [
  '+',
  '-',
  '*',
  '/',
  '//',
  '%',
  '||',
  '=',
  '<>',
  '<',
  'AND',
  'OR',
  'LIKE',
  '->>',
  '&',
  '<<',
  'IS DISTINCT FROM',
];

const { expression, query } = fc.letrec<{ expression: string; query: string }>((tie) => {
  const list = (least: number, most: number) =>
    fc.array(tie('expression'), { minLength: least, maxLength: most }).map((items) => items.join(', '));
  const two = fc.tuple(tie('expression'), tie('expression'));
  const leaf = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...COLUMNS) },
    { weight: 2, arbitrary: fc.constantFrom(...LITERALS) },
    { weight: 2, arbitrary: fc.constantFrom('$p', '$q') },
  );
  const call = fc.tuple(fc.constantFrom(...FUNCTIONS), list(1, 3));
  return {
    expression: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      leaf,
      call.map(([name, list]) => `${name}(${list})`),
      call.map(([name, list]) => `${name}(${list}) OVER (PARTITION BY path ORDER BY timestamp)`),
      fc.tuple(call, tie('expression')).map(([[name, list], by]) => `${name}(${list} ORDER BY ${by})`),
      fc.tuple(call, tie('expression')).map(([[name, list], by]) => `${name}(${list}) FILTER (WHERE ${by})`),
      fc.tuple(fc.constantFrom(...OPERATORS), two).map(([sign, [a, b]]) => `(${a} ${sign} ${b})`),
      fc.tuple(tie('expression'), fc.constantFrom(...TYPES)).map(([a, type]) => `CAST(${a} AS ${type})`),
      two.map(([a, b]) => `CASE WHEN ${a} THEN ${b} END`),
      two.map(([a, b]) => `(${a})[${b}]`),
      two.map(([a, b]) => `list_transform(${a}, e -> ${b})`),
      list(0, 3).map((items) => `[${items}]`),
      tie('query').map((text) => `(${text})`),
      fc.tuple(tie('expression'), tie('query')).map(([a, text]) => `${a} IN (${text})`),
    ),
    query: fc
      .record({
        distinct: fc.constantFrom('', '', 'DISTINCT ', 'DISTINCT ON ($p) ', 'DISTINCT ON (path) '),
        select: list(1, 3),
        from: fc.oneof(
          fc.constantFrom('events', 'events a JOIN pageviews b USING (path)', 'sessions', 'UNNEST($p) t(x)'),
          tie('query').map((text) => `(${text}) t`),
          list(1, 2).map((items) => `(VALUES (${items})) t(x)`),
        ),
        where: fc.option(tie('expression'), { nil: null, freq: 2 }),
        group: fc.option(fc.oneof(list(1, 2), fc.constantFrom('ALL', 'ROLLUP ($p, path)', '$p')), {
          nil: null,
        }),
        having: fc.option(tie('expression'), { nil: null, freq: 3 }),
        order: fc.option(fc.oneof(list(1, 2), fc.constantFrom('ALL', '$p', '1', 'path DESC NULLS LAST')), {
          nil: null,
        }),
        limit: fc.option(fc.oneof(leaf, tie('expression')), { nil: null, freq: 2 }),
        offset: fc.option(leaf, { nil: null, freq: 3 }),
        join: fc.constantFrom('', '', '', ' UNION ', ' EXCEPT ', ' UNION ALL BY NAME '),
      })
      .map(({ distinct, select, from, where, group, having, order, limit, offset, join }) => {
        const clause = (words: string, text: string | null) => (text === null ? '' : ` ${words} ${text}`);
        const first = `SELECT ${distinct}${select} FROM ${from}${clause('WHERE', where)}${clause('GROUP BY', group)}${clause('HAVING', having)}`;
        const whole = join === '' ? first : `${first}${join}SELECT ${select} FROM ${from}`;
        return `${whole}${clause('ORDER BY', order)}${clause('LIMIT', limit)}${clause('OFFSET', offset)}`;
      }),
  };
});

/** A query, and the values of its two parameters. */
export const randomQuery: fc.Arbitrary<{ sql: string; params: { p: unknown; q: unknown } }> = fc
  .tuple(
    fc.oneof(
      query,
      expression.map((text) => `SELECT ${text} FROM events`),
    ),
    fc.constantFrom(...Object.values(ODD_VALUES)),
    fc.constantFrom(...Object.values(ODD_VALUES)),
  )
  .map(([sql, p, q]) => ({ sql, params: { p, q } }));
