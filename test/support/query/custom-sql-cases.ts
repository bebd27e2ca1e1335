/** Useful custom queries over a small log, each with its rows worked out by hand: events, properties, sessions. */
import { type CustomSqlCase, P } from './custom-sql-log.ts';

export const BASIC_CASES: readonly CustomSqlCase[] = [
  { what: 'counts events', sql: 'SELECT count(*) FROM events', rows: [[11]] },
  {
    what: 'counts pages',
    sql: `SELECT path, count(*) AS n ${P} GROUP BY path ORDER BY n DESC, path`,
    rows: [
      ['/', 3],
      ['/a', 1],
      ['/b', 1],
    ],
  },
  { what: 'counts visitors', sql: `SELECT count(DISTINCT anonymous_id) ${P}`, rows: [[3]] },
  {
    what: 'groups by day',
    sql: `SELECT date_trunc('day', timestamp)::DATE AS d, count(*) ${P} GROUP BY ALL ORDER BY ALL`,
    rows: [
      ['2025-01-01', 3],
      ['2025-01-02', 1],
      ['2025-01-03', 1],
    ],
  },
  {
    what: 'groups by day of a time zone',
    sql: `SELECT CAST(timestamp AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Berlin' AS DATE) AS d, count(*) ${P} GROUP BY 1 ORDER BY 1`,
    rows: [
      ['2025-01-01', 2],
      ['2025-01-02', 2],
      ['2025-01-03', 1],
    ],
  },
  {
    what: 'groups by hour',
    sql: `SELECT hour(timestamp) AS h, count(*) ${P} GROUP BY h ORDER BY h LIMIT 2`,
    rows: [
      [9, 1],
      [10, 2],
    ],
  },
  {
    what: 'extracts the day of the week',
    sql: 'SELECT extract(isodow FROM timestamp), dayname(timestamp) FROM errors',
    rows: [[4, 'Thursday']],
  },
  {
    what: 'takes parameters',
    sql: `SELECT count(*) ${P} AND country = $c AND load_time > $ms`,
    body: { params: { c: 'DE', ms: 150 } },
    rows: [[2]],
  },
  {
    what: 'takes a list as parameter',
    sql: `SELECT count(*) ${P} AND path = ANY($paths)`,
    body: { params: { paths: ['/a', '/b'] } },
    rows: [[2]],
  },
  {
    what: 'takes null as parameter',
    sql: 'SELECT $x IS NULL AS missing',
    body: { params: { x: null } },
    rows: [[true]],
  },
  {
    what: 'reads properties',
    sql: "SELECT properties->>'$.plan' AS plan, CAST(properties->>'$.price' AS DOUBLE) AS price FROM custom_events ORDER BY plan",
    rows: [
      ['free', 0],
      ['pro', 10.5],
    ],
  },
  {
    what: 'reads properties by function',
    sql: "SELECT json_extract_string(properties, '$.tags[1]'), json_array_length(properties, '$.tags') FROM custom_events WHERE json_extract_string(properties, '$.plan') = 'pro'",
    rows: [['b', 2]],
  },
  {
    what: 'lists the keys of properties',
    sql: 'SELECT DISTINCT unnest(json_keys(properties)) AS k FROM custom_events ORDER BY k',
    rows: [['plan'], ['price'], ['tags']],
  },
  {
    what: 'sums decimals as text',
    sql: "SELECT sum(CAST(properties->>'$.price' AS DECIMAL(10,2))) FROM custom_events",
    rows: [['10.50']],
  },
  {
    what: 'computes medians and percentiles',
    sql: `SELECT median(load_time), quantile_cont(load_time, 0.75), percentile_cont(0.5) WITHIN GROUP (ORDER BY load_time) ${P}`,
    rows: [[300, 400, 300]],
  },
  {
    what: 'computes means and deviations',
    sql: `SELECT avg(load_time), min(load_time), max(load_time), round(stddev_pop(load_time), 2) ${P}`,
    rows: [[400, 100, 1000, 316.23]],
  },
  {
    what: 'computes a conversion rate',
    sql: "SELECT round(100 * count(*) FILTER (WHERE event_name = 'signup') / count(DISTINCT anonymous_id), 1) AS rate FROM events",
    rows: [[66.7]],
  },
  {
    what: 'reads sessions',
    sql: 'SELECT session_id, anonymous_id, pageviews, events, duration_seconds, entry_path, exit_path, is_bounce FROM sessions ORDER BY session_id',
    rows: [
      ['s1', 'v1', 2, 3, 150, '/', '/a', false],
      ['s2', 'v2', 1, 1, 0, '/', '/', true],
      ['s3', 'v2', 1, 3, 300, '/b', '/b', true],
      ['s4', 'v3', 1, 2, 5, '/', '/', true],
    ],
  },
  {
    what: 'computes the bounce rate',
    sql: 'SELECT round(avg(is_bounce::INT) * 100, 1) FROM sessions',
    rows: [[75]],
  },
  {
    what: 'says when sessions were',
    sql: "SELECT started_at, ended_at, referrer_host FROM sessions WHERE session_id = 's2'",
    rows: [['2025-01-01T23:30:00.000Z', '2025-01-01T23:30:00.000Z', 'news.example']],
  },
  {
    what: 'joins events with sessions',
    sql: 'SELECT s.entry_path, count(*) FROM custom_events e JOIN sessions s USING (session_id) GROUP BY 1 ORDER BY 1',
    rows: [
      ['/', 1],
      ['/b', 1],
    ],
  },
  {
    what: 'joins left',
    sql: 'SELECT s.session_id, e.message FROM sessions s LEFT JOIN errors e ON e.session_id = s.session_id ORDER BY 1 LIMIT 3',
    rows: [
      ['s1', null],
      ['s2', null],
      ['s3', 'boom'],
    ],
  },
  {
    what: 'finds visitors who came back',
    sql: 'SELECT anonymous_id FROM sessions GROUP BY anonymous_id HAVING count(*) > 1',
    rows: [['v2']],
  },
];
