/** Retention as DuckDB SQL: cohorts of visitors by the bucket in which they start, and how many are there in later ones. */
import type { QueryPlan, Sequence } from '../query-plan.ts';
import { rowNames } from '../row-names.ts';
import { matchColumn, type SequenceSql } from './sequence-parts.ts';
import type { Bind } from './text-sql.ts';

type Retention = Extract<Sequence, { kind: 'retention' }>;

const { bucket } = rowNames;

/** `d`: what visitors did in each bucket; `c`: the cohort of each; `k`: the size of cohorts; `n`: who came back. */
export function retentionSql(
  { buckets }: QueryPlan,
  { start, returning, mode }: Retention,
  bind: Bind,
): SequenceSql {
  const periods = `${bind(buckets.length)}::BIGINT`;
  return {
    columns: [
      '"anonymous_id" AS v',
      matchColumn(start, 'starts', bind),
      matchColumn(returning, 'returns', bind),
    ],
    sources: [
      `d AS MATERIALIZED (
SELECT v, ${bucket}, bool_or(starts) AS starts, bool_or(returns) AS returns
FROM e WHERE v <> '' AND (starts OR returns) GROUP BY v, ${bucket}
)`,
      `c AS MATERIALIZED (SELECT v, min(${bucket}) AS cohort FROM d WHERE starts GROUP BY v)`,
      `k AS MATERIALIZED (SELECT cohort, count(*) AS size FROM c GROUP BY cohort)`,
      mode === 'exact' ? EXACT : ROLLING,
      `r AS (
SELECT cohort AS ${bucket}, period AS ${rowNames.measure('period')}, coalesce(size, 0) AS ${rowNames.measure('size')},
  CASE WHEN period = 0 THEN coalesce(size, 0) ELSE coalesce(visitors, 0) END AS ${rowNames.measure('visitors')}
FROM (
  SELECT cohort, unnest(range(0, ${periods} - cohort)) AS period
  FROM (SELECT unnest(range(0, ${periods})) AS cohort)
) LEFT JOIN k USING (cohort) LEFT JOIN n USING (cohort, period)
)`,
    ],
  };
}

const EXACT = `n AS (
SELECT cohort, ${bucket} - cohort AS period, count(*) AS visitors
FROM d JOIN c USING (v) WHERE returns AND ${bucket} > cohort GROUP BY 1, 2
)`;

/** Who was there for the last time in a bucket counts in all buckets up to it. */
const ROLLING = `l AS (
SELECT cohort, last, count(*) AS visitors
FROM (SELECT v, cohort, max(${bucket}) - cohort AS last FROM d JOIN c USING (v) WHERE returns GROUP BY v, cohort)
WHERE last > 0 GROUP BY 1, 2
), n AS (
SELECT cohort, period, CAST(sum(visitors) AS BIGINT) AS visitors
FROM (SELECT cohort, visitors, unnest(range(1, last + 1)) AS period FROM l) GROUP BY 1, 2
)`;
