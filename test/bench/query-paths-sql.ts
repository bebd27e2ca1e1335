/** The funnel and the retention of the query bench as a person would write them for PostgreSQL. */

/** What is compared of a dataset, and the statement that gives the same; rows without visitors are left out of both. */
export interface PathSql {
  readonly columns: readonly string[];
  /** $1 website, $2 and $3 the range. */
  readonly sql: string;
}

const RANGE = `website_id = $1 AND "timestamp" >= $2 AND "timestamp" < $3 AND NOT is_bot AND anonymous_id IS NOT NULL`;
/** A week, as Tidegate's funnels have it where they say nothing. */
const WINDOW = `INTERVAL '7 days'`;

/** From the attempts of a step those that take the next one: its first event after that, within the window. */
const step = (from: string, flag: string): string => `SELECT f.anonymous_id, f.first, min(h.at) AS at
  FROM ${from} AS f JOIN hits AS h ON h.anonymous_id = f.anonymous_id
    AND h.${flag} AND h.at > f.at AND h.at <= f.first + ${WINDOW}
  GROUP BY f.anonymous_id, f.first`;

const FUNNEL = `WITH hits AS MATERIALIZED (
  SELECT anonymous_id, "timestamp" AS at, event_name = 'button_clicked' AS clicked,
    event_name = 'screen_view' AND path = '/articles/0' AS first_page,
    event_name = 'screen_view' AND path LIKE '/articles/1%' AS second_page,
    event_name = 'screen_view' AND path LIKE '/articles/2%' AS third_page
  FROM events WHERE ${RANGE} AND (event_name = 'button_clicked' OR event_name = 'screen_view'
    AND (path = '/articles/0' OR path LIKE '/articles/1%' OR path LIKE '/articles/2%'))),
one AS (SELECT DISTINCT anonymous_id, at AS first, at FROM hits WHERE first_page),
two AS (${step('one', 'second_page')}),
three AS (${step('two', 'clicked')}),
four AS (${step('three', 'third_page')}),
five AS (${step('four', 'clicked')})
SELECT * FROM (
  SELECT 1 AS step, count(DISTINCT anonymous_id) AS visitors FROM one
  UNION ALL SELECT 2, count(DISTINCT anonymous_id) FROM two
  UNION ALL SELECT 3, count(DISTINCT anonymous_id) FROM three
  UNION ALL SELECT 4, count(DISTINCT anonymous_id) FROM four
  UNION ALL SELECT 5, count(DISTINCT anonymous_id) FROM five) AS steps
WHERE visitors > 0 ORDER BY step`;

const RETENTION = `WITH seen AS (
  SELECT anonymous_id, "timestamp"::date AS day FROM events WHERE ${RANGE} GROUP BY 1, 2),
cohorts AS (SELECT anonymous_id, min(day) AS cohort FROM seen GROUP BY 1)
SELECT to_char(cohort, 'YYYY-MM-DD'), day - cohort AS period, count(*) AS visitors
FROM seen JOIN cohorts USING (anonymous_id) GROUP BY cohort, period ORDER BY 1, 2`;

/** By the names of PATHS in query-paths.ts. */
export const POSTGRES_PATHS: Readonly<Record<string, PathSql>> = {
  'funnel of five steps': { columns: ['step', 'visitors'], sql: FUNNEL },
  'retention by day': { columns: ['date', 'period', 'visitors'], sql: RETENTION },
};
