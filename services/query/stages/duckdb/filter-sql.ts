/** Filters as DuckDB SQL: tests of an event, and semi joins with the sessions or visitors that have a matching event. */
import { IS_PAGEVIEW } from '../../catalogue/measures.ts';
import type { PlannedFilter, PlannedTest } from '../query-plan.ts';
import { atEdge, atEntry } from './measure-sql.ts';
import { type Bind, conditionSql, propertyNumberSql, propertySql, quoted, textSql } from './text-sql.ts';

/** Makes the condition of a filter; `base`: the condition of all events that sessions and visitors may match by. */
export function filterSql(filter: PlannedFilter, base: string, bind: Bind): string {
  // A test of a missing value is NULL, whose complement would be NULL too.
  if ('not' in filter) return `NOT coalesce(${filterSql(filter.not, base, bind)}, false)`;
  if ('any' in filter) return joined(filter.any, ' OR ');
  if ('all' in filter) return joined(filter.all, ' AND ');
  return subjectSql(filter, base, bind);

  function joined(filters: readonly PlannedFilter[], by: string): string {
    return `(${filters.map((each) => filterSql(each, base, bind)).join(by)})`;
  }
}

/** The columns that identify what is kept whole. Events where it is missing or empty belong to none. */
const IDENTIFIERS = { session: 'session_id', visitor: 'anonymous_id' } as const;

function subjectSql(test: PlannedTest, base: string, bind: Bind): string {
  const { on, of } = test;
  const isOfSession = 'pageOfSession' in on || 'entryText' in on;
  const matches = isOfSession ? entrySql(test, on, base, bind) : testSql(test, bind);
  const isWholeSession = of === 'session' && isOfSession;
  if (of === 'event' || isWholeSession) return matches;
  const id = quoted(IDENTIFIERS[of]);
  return `${id} IN (SELECT ${id} FROM events WHERE ${base} AND ${id} <> '' AND ${matches})`;
}

/** Events of the sessions whose first or last page passes, or a text of their first pageview. */
function entrySql(
  test: PlannedTest,
  on: Extract<PlannedTest['on'], { pageOfSession: unknown } | { entryText: unknown }>,
  base: string,
  bind: Bind,
): string {
  const id = quoted(IDENTIFIERS.session);
  const text = 'entryText' in on ? textSql(on.entryText, bind) : `nullif("path", '')`;
  const pageviews = `SELECT ${id}, epoch_ms("timestamp") AS ms, ${text} AS found
FROM events WHERE ${base} AND ${id} <> '' AND ${conditionSql(IS_PAGEVIEW, bind)}`;
  const found = 'entryText' in on ? atEntry('found', null) : atEdge('found', on.pageOfSession);
  const passes = textTestSql(test, () => found, bind);
  return `${id} IN (SELECT ${id} FROM (${pageviews}) GROUP BY ${id} HAVING ${passes})`;
}

function testSql(test: PlannedTest, bind: Bind): string {
  const { on, op } = test;
  if ('number' in on) return numberTestSql(test, `${quoted(on.number)}::DOUBLE`, bind);
  if ('property' in on) {
    const isComparison = op === 'gt' || op === 'gte' || op === 'lt' || op === 'lte';
    const text = () => propertySql(on.property, bind);
    return isComparison
      ? numberTestSql(test, propertyNumberSql(on.property, bind), bind)
      : textTestSql(test, text, bind);
  }
  if ('pageOfSession' in on || 'entryText' in on)
    throw new Error('What a session came by is no text of an event.');
  return textTestSql(test, () => ('column' in on ? quoted(on.column) : textSql(on.text, bind)), bind);
}

function numberTestSql({ op, values }: PlannedTest, number: string, bind: Bind): string {
  const value = () => `${bind(Number(values[0]))}::DOUBLE`;
  const isIn = () => `coalesce(list_contains(${bind(values)}::VARCHAR[]::DOUBLE[], ${number}), false)`;
  switch (op) {
    case 'eq':
      return `${number} = ${value()}`;
    case 'ne':
      return isNot(number, value());
    case 'in':
      return isIn();
    case 'not_in':
      return `NOT ${isIn()}`;
    case 'gt':
      return `${number} > ${value()}`;
    case 'gte':
      return `${number} >= ${value()}`;
    case 'lt':
      return `${number} < ${value()}`;
    case 'lte':
      return `${number} <= ${value()}`;
    case 'missing':
      return `${number} IS NULL`;
    case 'present':
      return `${number} IS NOT NULL`;
    default:
      throw new Error(`No operator of numbers: ${op}.`);
  }
}

/**
 * True of a missing one too. Not IS DISTINCT FROM: beside another test of the same column, joined by OR, the engine takes
 * blocks in which the column is missing everywhere for empty.
 */
function isNot(tested: string, value: string): string {
  return `coalesce(${tested} <> ${value}, true)`;
}

function textTestSql({ op, values }: PlannedTest, text: () => string, bind: Bind): string {
  const value = () => `${bind(values[0] ?? '')}::VARCHAR`;
  const isIn = () => `coalesce(list_contains(${bind(values)}::VARCHAR[], ${text()}), false)`;
  switch (op) {
    case 'eq':
      return `${text()} = ${value()}`;
    case 'ne':
      return isNot(text(), value());
    case 'contains':
      return `contains(${text()}, ${value()})`;
    case 'not_contains':
      return `NOT coalesce(contains(${text()}, ${value()}), false)`;
    case 'starts_with':
      return `starts_with(${text()}, ${value()})`;
    case 'ends_with':
      return `ends_with(${text()}, ${value()})`;
    case 'matches':
      return `regexp_matches(${text()}, ${value()})`;
    case 'in':
      return isIn();
    case 'not_in':
      return `NOT ${isIn()}`;
    case 'missing':
      return `coalesce(${text()}, '') = ''`;
    case 'present':
      return `coalesce(${text()}, '') <> ''`;
    default:
      throw new Error(`No operator of texts: ${op}.`);
  }
}
