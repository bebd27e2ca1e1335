/** Journeys as DuckDB SQL: which pages and events follow one another in sessions, from a start on or up to it. */
import { PAGEVIEW_EVENT } from '../../catalogue/measures.ts';
import type { Sequence } from '../query-plan.ts';
import { rowNames } from '../row-names.ts';
import { matchColumn, type SequenceSql } from './sequence-parts.ts';
import type { Bind } from './text-sql.ts';

type Journey = Extract<Sequence, { kind: 'journey' }>;

/** Stands for everything at a step that is not among its most frequent. */
const OTHER = '(other)';

/**
 * `w`: what the sessions with a start did, each marked when it differs from the one before; `p`: its place in the
 * session, repetitions once; `j`: the steps of journeys; `t`: the most frequent at each step; `l`: journeys with those.
 */
export function journeySql({ start, direction, steps, width }: Journey, bind: Bind): SequenceSql {
  const distance = direction === 'forward' ? 'place - start' : 'start - place';
  const pageview = `"event_name" = ${bind(PAGEVIEW_EVENT)}`;
  const other = `${bind(OTHER)}::VARCHAR`;
  const measure = rowNames.measure;
  return {
    columns: [
      '"session_id" AS v',
      `CASE WHEN ${pageview} THEN 'page' ELSE 'event' END AS type`,
      `CASE WHEN ${pageview} THEN coalesce(nullif("path", ''), 'Unknown') ELSE "event_name" END AS name`,
      matchColumn(start, 'starts', bind),
    ],
    sources: [
      `w AS (
SELECT v, ms, type, name, starts,
  CASE WHEN type = lag(type) OVER session AND name = lag(name) OVER session THEN 0 ELSE 1 END AS fresh
FROM (SELECT * FROM e WHERE v IN (SELECT v FROM e WHERE starts AND v <> ''))
WINDOW session AS (PARTITION BY v ORDER BY ms, type, name)
)`,
      `p AS MATERIALIZED (
SELECT v, place, any_value(type) AS type, any_value(name) AS name, bool_or(starts) AS starts
FROM (
  SELECT *, sum(fresh) OVER (PARTITION BY v ORDER BY ms, type, name ROWS UNBOUNDED PRECEDING) AS place FROM w
) GROUP BY v, place
)`,
      `j AS MATERIALIZED (
SELECT v, CAST(${distance} AS BIGINT) AS step, type, name
FROM p JOIN (SELECT v, min(place) AS start FROM p WHERE starts GROUP BY v) USING (v)
WHERE ${distance} BETWEEN 0 AND ${bind(steps)}::BIGINT
)`,
      `t AS (
SELECT step, type, name FROM (SELECT step, type, name, count(*) AS times FROM j GROUP BY ALL)
QUALIFY row_number() OVER (PARTITION BY step ORDER BY times DESC, type, name) <= ${bind(width)}::BIGINT
)`,
      `l AS MATERIALIZED (
SELECT v, step, coalesce(t.type, 'other') AS type, coalesce(t.name, ${other}) AS name
FROM j LEFT JOIN t USING (step, type, name)
)`,
      `r AS (
SELECT l.step AS ${measure('step')}, l.type AS ${measure('type')}, l.name AS ${measure('name')},
  f.type AS ${measure('from_type')}, f.name AS ${measure('from_name')}, count(*) AS ${measure('sessions')},
  (SELECT count(*) FROM l WHERE step = 0) AS ${measure('journeys')}
FROM l LEFT JOIN l AS f ON f.v = l.v AND f.step = l.step - 1
GROUP BY ALL
)`,
    ],
  };
}
