/** The batch of the query bench as a person would write it for PostgreSQL, SQLite and ClickHouse; the rows hold what is compared. */
import type { BatchDataset, Window } from './query-workload.ts';

/** Statements with $1 website, $2 and $3 the range; instants as the engine stores them. */
export type BatchSql = Readonly<Record<BatchDataset, string>>;

/** The parts in which the dialects differ. */
interface Dialect {
  /** The day of an instant, as YYYY-MM-DD. */
  readonly day: string;
  /** Milliseconds from the first to the last event of a session. */
  readonly duration: string;
  /** A CTE `medians (day, median)` over `sessions (day, duration)`, or none. */
  readonly mediansCte: string;
  /** The median within the grouping by day. */
  readonly median: string;
  readonly table: string;
  readonly website: string;
  readonly from: string;
  readonly to: string;
}

const POSTGRES: Dialect = {
  day: `to_char("timestamp", 'YYYY-MM-DD')`,
  duration: 'extract(epoch FROM max("timestamp") - min("timestamp")) * 1000',
  mediansCte: '',
  median: 'percentile_cont(0.5) WITHIN GROUP (ORDER BY duration)',
  table: 'events',
  website: '$1',
  from: '$2',
  to: '$3',
};

/** SQLite has no median: the mean of the two values in the middle of the sorted ones. */
const SQLITE: Dialect = {
  day: `strftime('%Y-%m-%d', "timestamp" / 1000, 'unixepoch')`,
  duration: 'max("timestamp") - min("timestamp")',
  mediansCte: `, medians AS (
  SELECT day, avg(duration) AS median FROM (
    SELECT day, duration, row_number() OVER (PARTITION BY day ORDER BY duration) AS place,
      count(*) OVER (PARTITION BY day) AS total FROM sessions)
  WHERE place IN ((total + 1) / 2, total / 2 + 1) GROUP BY day)`,
  median: '(SELECT median FROM medians WHERE medians.day = sessions.day)',
  table: 'events',
  website: '?1',
  from: '?2',
  to: '?3',
};

/** Instants are timestamps; prepared with the parameters in order. */
export const POSTGRES_BATCH: BatchSql = batchSql(POSTGRES);
/** Instants are epoch milliseconds. */
export const SQLITE_BATCH: BatchSql = batchSql(SQLITE);

/** For one website and range: its engine in a process takes no parameters. */
export function clickhouseBatch(websiteId: string, { from, to }: Window): BatchSql {
  const instant = (at: number) => `fromUnixTimestamp64Milli(${at}, 'UTC')`;
  return batchSql({
    day: `formatDateTime("timestamp", '%Y-%m-%d')`,
    duration: `dateDiff('millisecond', min("timestamp"), max("timestamp"))`,
    mediansCte: '',
    median: 'quantileExactInclusive(0.5)(duration)',
    table: 'bench.events',
    website: `'${websiteId}'`,
    from: instant(from),
    to: instant(to),
  });
}

/** How many columns of each dataset are texts that tell rows apart; integers to be compared follow them. */
export const COMPARED: Readonly<
  Record<BatchDataset, { readonly names: string[]; readonly counts: string[] }>
> = {
  summary: { names: ['date'], counts: ['pageviews', 'visitors', 'sessions'] },
  top_pages: { names: ['name'], counts: ['pageviews', 'visitors'] },
  traffic_sources: { names: ['name'], counts: ['pageviews', 'visitors'] },
  countries: { names: ['country_code'], counts: ['pageviews', 'visitors'] },
  browsers: { names: ['name', 'version'], counts: ['pageviews', 'visitors'] },
};

function batchSql(dialect: Dialect): BatchSql {
  return {
    summary: summarySql(dialect),
    top_pages: listSql(dialect, `coalesce(nullif(path, ''), 'Unknown')`),
    traffic_sources: listSql(dialect, `coalesce(nullif(referrer_group, ''), 'direct')`),
    countries: listSql(dialect, `coalesce(nullif(country, ''), 'Unknown')`),
    browsers: listSql(
      dialect,
      `coalesce(nullif(browser_name, ''), 'Unknown')`,
      `coalesce(nullif(browser_version, ''), 'Unknown')`,
    ),
  };
}

function rangeSql({ website, from, to }: Dialect): string {
  return `website_id = ${website} AND "timestamp" >= ${from} AND "timestamp" < ${to} AND NOT is_bot`;
}

function listSql(dialect: Dialect, ...names: string[]): string {
  const keys = names.map((_, index) => String(index + 1)).join(', ');
  return `SELECT ${names.join(', ')}, count(*) AS pageviews, count(DISTINCT anonymous_id) AS visitors,
  sum(count(*)) OVER () AS total
FROM ${dialect.table} WHERE ${rangeSql(dialect)} AND event_name = 'screen_view'
GROUP BY ${keys} ORDER BY pageviews DESC, ${keys} LIMIT 100`;
}

function summarySql(dialect: Dialect): string {
  const { day, duration, mediansCte, median } = dialect;
  return `WITH chosen AS (
  SELECT "timestamp", ${day} AS day, event_name, anonymous_id, session_id FROM ${dialect.table} WHERE ${rangeSql(dialect)}),
sessions AS (
  SELECT min(day) AS day, ${duration} AS duration, count(*) FILTER (WHERE event_name = 'screen_view') AS views
  FROM chosen WHERE session_id <> '' GROUP BY session_id)${mediansCte},
of_events AS (
  SELECT day, count(*) FILTER (WHERE event_name = 'screen_view') AS pageviews, count(DISTINCT anonymous_id) AS visitors
  FROM chosen GROUP BY day),
of_sessions AS (
  SELECT day, count(*) AS sessions, count(*) FILTER (WHERE views = 1) AS bounces, ${median} AS median
  FROM sessions GROUP BY day)
SELECT day, pageviews, visitors, coalesce(sessions, 0), bounces, median
FROM of_events LEFT JOIN of_sessions USING (day) ORDER BY day`;
}
