/** Useful custom queries over a small log, each with its rows worked out by hand: windows, sets, types, ranges. */
import { type CustomSqlCase, P } from './custom-sql-log.ts';

export const FURTHER_CASES: readonly CustomSqlCase[] = [
  {
    what: 'holds numbers of more than 64 bits',
    sql: 'SELECT 99999999999999999999::HUGEINT - 1 AS less, -170141183460469231731687303715884105728 AS least, 340282366920938463463374607431768211455 AS most',
    rows: [
      [
        ...['99999999999999999998', '-170141183460469231731687303715884105728'],
        '340282366920938463463374607431768211455',
      ],
    ],
  },
  {
    what: 'computes a funnel',
    sql: "WITH seen AS (SELECT DISTINCT anonymous_id FROM pageviews WHERE path = '/'), signed AS (SELECT DISTINCT anonymous_id FROM custom_events WHERE event_name = 'signup') SELECT (SELECT count(*) FROM seen WHERE anonymous_id IS NOT NULL), (SELECT count(*) FROM signed WHERE anonymous_id IN (SELECT anonymous_id FROM seen))",
    rows: [[3, 2]],
  },
  {
    what: 'uses windows',
    sql: `SELECT path, lag(path) OVER (PARTITION BY session_id ORDER BY timestamp) AS before ${P} AND session_id = 's1' ORDER BY timestamp`,
    rows: [
      ['/', null],
      ['/a', '/'],
    ],
  },
  {
    what: 'uses named windows and QUALIFY',
    sql: `SELECT anonymous_id, path, row_number() OVER w AS r ${P} WINDOW w AS (PARTITION BY anonymous_id ORDER BY timestamp DESC) QUALIFY r = 1 ORDER BY 1`,
    rows: [
      ['v1', '/a', 1],
      ['v2', '/b', 1],
      ['v3', '/', 1],
    ],
  },
  {
    what: 'sums up as it goes',
    sql: `SELECT sum(1) OVER (ORDER BY timestamp ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS n ${P} ORDER BY timestamp DESC LIMIT 1`,
    rows: [[5]],
  },
  {
    what: 'ranks',
    sql: 'SELECT country, rank() OVER (ORDER BY count(*) DESC) FROM events WHERE country IS NOT NULL GROUP BY country ORDER BY 2',
    rows: [
      ['DE', 1],
      ['US', 2],
    ],
  },
  {
    what: 'groups by ROLLUP',
    sql: `SELECT country, count(*) AS n ${P} GROUP BY ROLLUP (country) ORDER BY n DESC`,
    rows: [
      [null, 5],
      ['DE', 3],
      ['US', 2],
    ],
  },
  {
    what: 'groups by sets',
    sql: `SELECT country, path, count(*) AS n ${P} GROUP BY GROUPING SETS ((country), (path)) ORDER BY n DESC, country, path LIMIT 2`,
    rows: [
      ['DE', null, 3],
      [null, '/', 3],
    ],
  },
  {
    what: 'takes the latest of each',
    sql: `SELECT DISTINCT ON (country) country, path ${P} ORDER BY country, timestamp DESC`,
    rows: [
      ['DE', '/'],
      ['US', '/b'],
    ],
  },
  {
    what: 'takes the value at the extreme',
    sql: `SELECT arg_max(path, load_time), arg_min(path, load_time) ${P}`,
    rows: [['/', '/']],
  },
  {
    what: 'unites',
    sql: 'SELECT count(*) AS n FROM errors UNION ALL SELECT count(*) FROM web_vitals UNION ALL SELECT count(*) FROM link_clicks',
    rows: [[1], [1], [1]],
  },
  {
    what: 'intersects and excepts',
    sql: "(SELECT anonymous_id FROM pageviews INTERSECT SELECT anonymous_id FROM custom_events) EXCEPT SELECT 'v1'",
    rows: [['v2']],
  },
  {
    what: 'matches texts',
    sql: "SELECT count(*) FILTER (WHERE path LIKE '/_'), count(*) FILTER (WHERE regexp_matches(path, '^/[ab]$')), count(*) FILTER (WHERE path ILIKE '/A') FROM pageviews",
    rows: [[2, 2, 1]],
  },
  {
    what: 'cuts texts',
    sql: "SELECT upper(country), substring(path, 2), split_part(referrer_host, '.', 1), length(path), country || path FROM pageviews WHERE session_id = 's2'",
    rows: [['US', '', 'news', 1, 'US/']],
  },
  {
    what: 'decides by CASE',
    sql: `SELECT CASE WHEN load_time < 250 THEN 'fast' ELSE 'slow' END AS kind, count(*) ${P} GROUP BY kind ORDER BY kind`,
    rows: [
      ['fast', 2],
      ['slow', 3],
    ],
  },
  {
    what: 'makes buckets',
    sql: `SELECT time_bucket(INTERVAL '2 days', timestamp, TIMESTAMP '2025-01-01') AS b, count(*) ${P} GROUP BY b ORDER BY b`,
    rows: [
      ['2025-01-01T00:00:00.000Z', 4],
      ['2025-01-03T00:00:00.000Z', 1],
    ],
  },
  {
    what: 'reckons with dates',
    sql: "SELECT date_diff('hour', min(timestamp), max(timestamp)), max(timestamp) - min(timestamp) > INTERVAL 1 DAY, strftime(min(timestamp), '%Y/%m') FROM pageviews WHERE NOT is_bot",
    rows: [[50, true, '2025/01']],
  },
  {
    what: 'collects lists, structs and maps',
    sql: `SELECT list(DISTINCT path ORDER BY path), {'n': count(*), 'top': max(path)}, map([1], ['x']) ${P}`,
    rows: [[['/', '/a', '/b'], { n: 5, top: '/b' }, [{ key: 1, value: 'x' }]]],
  },
  {
    what: 'maps and filters lists',
    sql: 'SELECT list_transform([1, 2, 3], x -> x * 2), list_filter([1, 2, 3], x -> x > 1), [x + 1 FOR x IN [1, 2] IF x > 1]',
    rows: [[[2, 4, 6], [2, 3], [3]]],
  },
  {
    what: 'strings values together',
    sql: "SELECT string_agg(path, ' > ' ORDER BY timestamp) FROM pageviews WHERE session_id = 's1'",
    rows: [['/ > /a']],
  },
  {
    what: 'answers UNNEST',
    sql: 'SELECT u FROM UNNEST([3, 1, 2]) AS t(u) ORDER BY u',
    rows: [[1], [2], [3]],
  },
  { what: 'answers VALUES', sql: 'SELECT a + b FROM (VALUES (1, 2), (3, 4)) AS v(a, b)', rows: [[3], [7]] },
  {
    what: 'correlates subqueries',
    sql: "SELECT path, (SELECT count(*) FROM errors e WHERE e.path = p.path) AS errors FROM (SELECT DISTINCT path FROM pageviews WHERE path <> '/') p ORDER BY path",
    rows: [
      ['/a', 0],
      ['/b', 1],
    ],
  },
  {
    what: 'leaves out and replaces columns',
    sql: 'SELECT * EXCLUDE (a) REPLACE (b + 1 AS b) FROM (SELECT 1 AS a, 2 AS b, 3 AS c)',
    rows: [[3, 3]],
  },
  {
    what: 'keeps large integers, small ones and instants apart',
    sql: "SELECT 9007199254740993 AS big, 9007199254740991 AS safe, CAST(1.10 AS DECIMAL(9,2)) AS d, TIMESTAMP '2025-01-01 00:00:00.1234' AS t, DATE '2025-01-01' AS day, CAST('NaN' AS DOUBLE) AS nan, INTERVAL 90 MINUTE AS i",
    rows: [
      [
        '9007199254740993',
        9007199254740991,
        '1.10',
        '2025-01-01T00:00:00.123Z',
        '2025-01-01',
        null,
        '01:30:00',
      ],
    ],
  },
  {
    what: 'keeps to the range, its end day whole',
    sql: 'SELECT count(*) FROM events',
    body: { startDate: '2025-01-01', endDate: '2025-01-02' },
    rows: [[7]],
  },
  {
    what: 'keeps to the range in a time zone',
    sql: 'SELECT count(*) FROM events',
    body: { startDate: '2025-01-02', endDate: '2025-01-02', timezone: 'Europe/Berlin' },
    rows: [[4]],
  },
  {
    what: 'keeps to a range with one end',
    sql: 'SELECT count(*) FROM events',
    body: { startDate: '2025-01-03T12:00:05Z' },
    rows: [[3]],
  },
];
