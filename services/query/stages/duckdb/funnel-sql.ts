/**
 * Funnels as DuckDB SQL. An event that matches a step has a place: its instant times 32, plus the number of the first
 * step that it matches, or 0 if it ends attempts. So the places of a visitor say what comes before what, also at one
 * instant, and events with one place are one to a funnel.
 */
import type { QueryPlan, Sequence } from '../query-plan.ts';
import { rowNames } from '../row-names.ts';
import { bucketIndexSql } from './bucket-sql.ts';
import { matchColumn, type SequenceSql } from './sequence-parts.ts';
import type { Bind } from './text-sql.ts';

type Funnel = Extract<Sequence, { kind: 'funnel' }>;

/** More than a funnel has steps. */
const PLACES = 32;
/** Above every place, and a power of two that orders attempts of equal length by their start. */
const BEYOND = 2 ** 50;
/** How many groups of visitors a funnel has rows for. */
const MAX_GROUPS = 500;

/** `m`: events that match; `c…`: attempts that got so far; `a`: the attempt of each visitor, as the places of its steps. */
export function funnelSql(plan: QueryPlan, funnel: Funnel, bind: Bind): SequenceSql {
  const steps = funnel.steps.map((_, index) => `s${index + 1}`);
  const { exclude } = funnel;
  const matches = funnel.steps.map(({ on }, index) => matchColumn(on, `s${index + 1}`, bind));
  const rows = plan.kind === 'series' ? overTimeSql(plan, steps.length, bind) : byStepSql(plan, funnel, bind);
  return {
    columns: ['"anonymous_id" AS v', ...matches, ...(exclude ? [matchColumn(exclude, 'x', bind)] : [])],
    sources: [
      `m AS MATERIALIZED (\n${placedSql(plan, steps, exclude !== null)}\n)`,
      ...(funnel.ordered ? orderedSql(funnel, bind) : anyOrderSql(funnel, bind)),
      ...rows,
    ],
  };
}

function placedSql(plan: QueryPlan, steps: readonly string[], excludes: boolean): string {
  const cases = steps.map((step, index) => `WHEN ${step} THEN ${index + 1}`).join(' ');
  const place = `ms * ${PLACES} + CASE ${excludes ? 'WHEN x THEN 0 ' : ''}${cases} END AS place`;
  // What ends attempts is no step.
  const taken = steps.map((step) => (excludes ? `${step} AND NOT x AS ${step}` : step));
  const columns = ['v', place, ...taken, ...(excludes ? ['x'] : []), ...dimensionsOf(plan)];
  const any = [...steps, ...(excludes ? ['x'] : [])].join(' OR ');
  return `SELECT ${columns.join(', ')}\nFROM e WHERE v <> '' AND (${any})`;
}

/** The first place that is too late for an attempt that started at `place`. */
function endOfWindow(place: string, funnel: Funnel, bind: Bind): string {
  return `((${place} // ${PLACES} + ${bind(funnel.windowMs)}::BIGINT + 1) * ${PLACES})`;
}

/** Each event of the first step starts an attempt, which takes the next event of each step. */
function orderedSql(funnel: Funnel, bind: Bind): string[] {
  const end = endOfWindow('start.place', funnel, bind);
  const starts = `(SELECT DISTINCT v, place FROM m WHERE s1) AS start`;
  const first = funnel.exclude
    ? `least(${end}, coalesce(x.place, ${BEYOND})) AS until
FROM ${starts} ASOF LEFT JOIN (SELECT v, place FROM m WHERE x) AS x ON start.v = x.v AND start.place < x.place`
    : `${end} AS until\nFROM ${starts}`;
  const sources = [`c1 AS MATERIALIZED (\nSELECT start.v, start.place, [start.place] AS places, ${first}\n)`];
  for (let step = 2; step <= funnel.steps.length; step++) {
    const before = `c${step - 1}`;
    sources.push(`c${step} AS MATERIALIZED (
SELECT c.v, next.place, list_append(c.places, next.place) AS places, c.until
FROM ${before} AS c ASOF JOIN (
  SELECT v, place FROM m WHERE s${step} AND v IN (SELECT v FROM ${before})
) AS next ON c.v = next.v AND c.place < next.place
WHERE next.place < c.until
)`);
  }
  const all = funnel.steps.map((_, index) => `SELECT v, places FROM c${index + 1}`).join(' UNION ALL ');
  return [...sources, attemptsSql(all)];
}

/** Each event starts an attempt, which takes the first event of every step from there on. */
function anyOrderSql(funnel: Funnel, bind: Bind): string[] {
  const next = (match: string) => `min(place) FILTER (WHERE ${match}) OVER later`;
  const ends = funnel.exclude ? `least(until, coalesce(${next('x')}, ${BEYOND}))` : 'until';
  return [
    `c1 AS (
SELECT v, list_sort(list_filter(nexts, lambda place: place < until)) AS places
FROM (
  SELECT v, [${funnel.steps.map((_, index) => next(`s${index + 1}`)).join(', ')}] AS nexts, ${ends} AS until${
    funnel.exclude ? ', x' : ''
  }
  FROM (SELECT *, ${endOfWindow('place', funnel, bind)} AS until FROM m)
  WINDOW later AS (PARTITION BY v ORDER BY place RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
)${funnel.exclude ? '\nWHERE NOT x' : ''}
)`,
    attemptsSql('SELECT v, places FROM c1'),
  ];
}

/** Of each visitor the attempt that got furthest, the earliest of those. */
function attemptsSql(all: string): string {
  return `a AS MATERIALIZED (
SELECT v, arg_max(places, len(places) * ${BEYOND} - places[1]) AS places
FROM (${all}) GROUP BY v
)`;
}

function dimensionsOf({ dimensions }: QueryPlan): string[] {
  return dimensions.map(({ name }) => rowNames.dimension(name));
}

/** A row for each step of each of the largest groups; a visitor's group is that of the first event of the attempt. */
function byStepSql(plan: QueryPlan, { steps }: Funnel, bind: Bind): string[] {
  const groups = dimensionsOf(plan);
  const by = (...more: readonly string[]) => [...groups, ...more].join(', ');
  const members = groups.length
    ? `SELECT a.v, any_value(a.places) AS places, ${groups.map((name) => `min(${name}) AS ${name}`).join(', ')}
FROM a JOIN m ON m.v = a.v AND m.place = a.places[1] GROUP BY a.v`
    : 'SELECT places FROM a';
  const largest = groups.length
    ? `SELECT ${by()} FROM q GROUP BY ALL ORDER BY count(*) DESC, ${by()} LIMIT ${MAX_GROUPS}`
    : 'SELECT 1';
  const names = `${bind(steps.map(({ name }) => name))}::VARCHAR[]`;
  const [entered, previous] = ['first_value', 'lag'].map(
    (pick) => `${pick}(visitors) OVER (${groups.length ? `PARTITION BY ${by()} ` : ''}ORDER BY step)`,
  );
  const lower = rowNames.lower('seconds');
  return [
    `q AS MATERIALIZED (\n${members}\n)`,
    `n AS (
SELECT ${by('step')}, count(*) AS visitors, quantile_disc(took, 0.5) AS ${lower},
  -quantile_disc(-took, 0.5) AS ${rowNames.upper('seconds')}, count(took) AS ${rowNames.values('seconds')}
FROM (
  SELECT *, CASE WHEN step > 1 THEN places[step] // ${PLACES} - places[step - 1] // ${PLACES} END AS took
  FROM (SELECT *, unnest(range(1, len(places) + 1)) AS step FROM q)
) GROUP BY ${by('step')}
)`,
    `r AS (
SELECT *, ${rowNames.measure('previous')} - ${rowNames.measure('visitors')} AS ${rowNames.measure('dropped')}
FROM (
  SELECT ${by()}${groups.length ? ', ' : ''}step AS ${rowNames.measure('step')}, (${names})[step] AS ${rowNames.measure('name')},
    visitors AS ${rowNames.measure('visitors')}, ${entered} AS ${rowNames.measure('entered')},
    coalesce(${previous}, visitors) AS ${rowNames.measure('previous')},
    ${lower}, ${rowNames.upper('seconds')}, ${rowNames.values('seconds')}
  FROM (
    SELECT * REPLACE (coalesce(visitors, 0) AS visitors)
    FROM (${largest}) CROSS JOIN (SELECT unnest(range(1, ${steps.length + 1})) AS step)
      LEFT JOIN n USING (${by('step')})
  )
)
)`,
  ];
}

/** A row for each bucket in which attempts started. */
function overTimeSql(plan: QueryPlan, steps: number, bind: Bind): string[] {
  const converted = `len(places) = ${steps}`;
  const took = 'took) FILTER (WHERE converted)';
  return [
    `r AS (
SELECT ${bucketIndexSql(plan.buckets, bind)} AS ${rowNames.bucket}, count(*) AS ${rowNames.measure('visitors')},
  count(*) FILTER (WHERE converted) AS ${rowNames.measure('converted')},
  quantile_disc(took, 0.5) FILTER (WHERE converted) AS ${rowNames.lower('seconds')},
  -quantile_disc(-took, 0.5) FILTER (WHERE converted) AS ${rowNames.upper('seconds')},
  count(${took} AS ${rowNames.values('seconds')}
FROM (
  SELECT places[1] // ${PLACES} AS ms, ${converted} AS converted,
    places[len(places)] // ${PLACES} - places[1] // ${PLACES} AS took
  FROM a
) GROUP BY 1
)`,
  ];
}
