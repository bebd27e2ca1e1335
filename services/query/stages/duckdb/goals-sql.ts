/**
 * Goals as DuckDB SQL: one scan counts for all of them. What an event reaches is a set of goals, kept as bits; few sets come
 * about, so that events are grouped by their set before each counts for the goals in it.
 */
import type { PlannedGoal, QueryPlan } from '../query-plan.ts';
import { rowNames } from '../row-names.ts';
import { filterSql } from './filter-sql.ts';
import { thousandthsOf } from './measure-sql.ts';
import { matchColumn, type SequenceSql } from './sequence-parts.ts';
import { type Bind, propertyNumberSql } from './text-sql.ts';

/** How many goals are bits of one integer. */
const BITS = 60;

type Worth = NonNullable<PlannedGoal['worth']>;

/** `m`: what visitors and sessions reached; `k`: the goals of each set; `g`: those counted; `t`: the visitors of each group. */
export function goalsSql(plan: QueryPlan, goals: readonly PlannedGoal[], bind: Bind): SequenceSql {
  const groups = plan.dimensions.map(({ name }) => rowNames.dimension(name));
  const by = (...columns: readonly string[]) => [...columns, ...groups].join(', ');
  const sets = Array.from({ length: Math.max(1, Math.ceil(goals.length / BITS)) }, (_, word) => `set${word}`);
  const worths = distinctWorths(goals);
  const sums = worths.map((_, index) => `, sum(w${index}) AS w${index}`).join('');
  const everyPlace = `SELECT unnest(range(${goals.length})) AS place`;
  return {
    columns: [
      '"anonymous_id" AS v',
      '"session_id" AS sid',
      ...goals.map(({ on }, place) => matchColumn(on, `g${place}`, bind)),
      ...worths.map((worth, index) => `${worthSql(worth, bind)} AS w${index}`),
    ],
    sources: [
      `m AS MATERIALIZED (
SELECT ${by('v', 'sid', ...sets, 'count(*) AS times')}${sums}
FROM (
  SELECT ${by('v', 'sid', ...sets.map((set, word) => `${setSql(goals.length, word)} AS ${set}`), ...worths.map((_, index) => `w${index}`))}
  FROM e
) WHERE ${sets.map((set) => `${set} <> 0`).join(' OR ')} GROUP BY ${by('v', 'sid', ...sets)}
)`,
      `k AS (
SELECT ${sets.join(', ')}, place
FROM (SELECT DISTINCT ${sets.join(', ')} FROM m) CROSS JOIN (${everyPlace})
WHERE (CASE place // ${BITS} ${sets.map((set, word) => `WHEN ${word} THEN ${set}`).join(' ')} END >> (place % ${BITS})) & 1 = 1
)`,
      `g AS (
SELECT ${by('place', 'sum(times) AS conversions', `count(DISTINCT nullif(v, '')) AS visitors`)},
  count(DISTINCT nullif(sid, '')) AS sessions, ${worthOfPlace(goals, worths)} AS worth
FROM m JOIN k USING (${sets.join(', ')}) GROUP BY ${by('place')}
)`,
      `t AS (
SELECT ${by(`count(DISTINCT nullif(v, '')) AS present`)} FROM e${groups.length > 0 ? ` GROUP BY ${groups.join(', ')}` : ''}
)`,
      `r AS (
SELECT ${by(...rowSql(goals, bind))}
FROM ${groups.length > 0 ? `g JOIN t USING (${groups.join(', ')})` : `(${everyPlace}) LEFT JOIN g USING (place) CROSS JOIN t`}
)`,
    ],
  };
}

/** The columns of the scan for the goal that sessions are counted by, and those of a session. */
export const sessionGoal = {
  ofEvents: ({ on, worth }: PlannedGoal, bind: Bind): string[] => [
    matchColumn(on, 'reaches', bind),
    `${worth ? worthSql(worth, bind) : 'NULL::BIGINT'} AS amount`,
  ],
  ofSessions: ({ worth }: PlannedGoal): string[] => [
    'count(*) FILTER (WHERE reaches) AS reached',
    worth ? 'coalesce(sum(amount) FILTER (WHERE reaches), 0::HUGEINT) AS worth' : 'NULL::HUGEINT AS worth',
  ],
};

/** The bits of the goals at the places of a word. */
function setSql(goals: number, word: number): string {
  const places = Array.from({ length: goals }, (_, place) => place).slice(word * BITS, (word + 1) * BITS);
  const bits = places.map((place) => `CASE WHEN g${place} THEN ${2 ** (place % BITS)}::BIGINT ELSE 0 END`);
  return bits.length === 0 ? '0::BIGINT' : `(${bits.join(' | ')})`;
}

/** Many goals are worth the same property in the same currency. */
function distinctWorths(goals: readonly PlannedGoal[]): Worth[] {
  const known = new Map(
    goals.flatMap(({ worth }) => (worth ? [[JSON.stringify(worth), worth] as const] : [])),
  );
  return [...known.values()];
}

/** What an event is worth, in thousandths; NULL: nothing. */
function worthSql({ property, inCurrency }: Worth, bind: Bind): string {
  const amount = thousandthsOf(propertyNumberSql(property, bind));
  // Filters of events read no other events.
  return inCurrency === null ? amount : `CASE WHEN ${filterSql(inCurrency, 'true', bind)} THEN ${amount} END`;
}

/** The sum of what the goal of a place is worth; NULL where it is worth nothing. */
function worthOfPlace(goals: readonly PlannedGoal[], worths: readonly Worth[]): string {
  const texts = worths.map((worth) => JSON.stringify(worth));
  const cases = goals.flatMap(({ worth }, place) =>
    worth ? [`WHEN ${place} THEN w${texts.indexOf(JSON.stringify(worth))}`] : [],
  );
  return cases.length === 0 ? 'NULL::HUGEINT' : `sum(CASE place ${cases.join(' ')} END)`;
}

/** The measures of a row, of which some stand in lists by the place of the goal. */
function rowSql(goals: readonly PlannedGoal[], bind: Bind): string[] {
  const listed = (type: string, of: (goal: PlannedGoal) => string) =>
    `(${bind(goals.map(of))}::VARCHAR[]::${type}[])[place + 1]`;
  const counted = (name: string) => `coalesce(${name}, 0) AS ${rowNames.measure(name)}`;
  const isWorth = listed('BOOLEAN', ({ worth }) => String(worth !== null));
  return [
    `place AS ${rowNames.measure('place')}`,
    `${listed('VARCHAR', ({ name }) => name)} AS ${rowNames.measure('name')}`,
    `${listed('VARCHAR', ({ id }) => id)} AS ${rowNames.measure('goal_id')}`,
    `${listed('BIGINT', ({ position }) => String(position))} AS ${rowNames.measure('position')}`,
    ...['visitors', 'conversions', 'sessions', 'present'].map(counted),
    `CASE WHEN ${isWorth} THEN coalesce(worth, 0::HUGEINT) END AS ${rowNames.measure('revenue')}`,
    `nullif(${listed('VARCHAR', ({ currency }) => currency ?? '')}, '') AS ${rowNames.measure('currency')}`,
  ];
}
