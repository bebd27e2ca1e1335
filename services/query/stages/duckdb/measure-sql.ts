/** Measures as DuckDB SQL: what is computed during grouping, and what is then read from the result. */
import type { NumberColumn } from '../../../shared/model/event-record.ts';
import { LARGEST_NUMBER, type Measure, type SessionCondition } from '../../catalogue/measure.ts';
import { rowNames } from '../row-names.ts';
import { type Bind, conditionSql, filterClause, orMissing, propertyNumberSql, quoted } from './text-sql.ts';

/** The columns of a grouping, and the expressions that the outer query selects from them. */
export interface MeasureSql {
  readonly grouped: readonly string[];
  readonly selected: readonly string[];
}

/** The scan's column with the text of a `text` measure. */
export function textColumn(name: string): string {
  return `x_${name}`;
}

/** The session's column with its first or last page. */
export function pageColumn(at: 'first' | 'last'): string {
  return `${at}_page`;
}

/** The session's column with its visitor. */
export const VISITOR = 'visitor';

/** The scan's column with the milliseconds until the next event of a session. */
export const UNTIL_NEXT = 'until_next';

function thousandthsSql(column: NumberColumn): string {
  return thousandthsOf(`${quoted(column)}::DOUBLE`);
}

/** Matches thousandths(); see catalogue/measure.ts. A missing value stays missing, which least() and greatest() ignore. */
export function thousandthsOf(number: string): string {
  const bounded = `least(greatest(${number}, -${LARGEST_NUMBER}::DOUBLE), ${LARGEST_NUMBER}::DOUBLE)`;
  return `CASE WHEN ${number} IS NOT NULL THEN CAST(floor(${bounded} * 1000 + 0.5) AS BIGINT) END`;
}

/** One measure over the scan, or over the sessions when it is a measure of sessions. */
export function measureSql(name: string, measure: Measure, bind: Bind): MeasureSql {
  const as = rowNames.measure(name);
  const plain = (sql: string) => ({ grouped: [`${sql} AS ${as}`], selected: [as] });
  switch (measure.kind) {
    case 'count':
      return plain(
        `count(*)${filterClause(measure.where === undefined ? null : conditionSql(measure.where, bind))}`,
      );
    case 'distinct': {
      const where = measure.where === undefined ? null : conditionSql(measure.where, bind);
      return plain(`count(DISTINCT nullif(${quoted(measure.column)}, ''))${filterClause(where)}`);
    }
    case 'first':
    case 'last': {
      const where = measure.where === undefined ? null : conditionSql(measure.where, bind);
      return plain(`${measure.kind === 'first' ? 'min' : 'max'}(ms)${filterClause(where)}`);
    }
    case 'text': {
      const found = atEdge(textColumn(name), measure.at);
      return plain(orMissing(found, measure.text, bind));
    }
    case 'sum':
      return plain(`sum(${thousandthsSql(measure.column)})`);
    case 'propertySum':
      return plain(`sum(${thousandthsOf(propertyNumberSql(measure.property, bind))})`);
    case 'number':
      return plain(quoted(measure.column));
    case 'untilNext':
      return plain(UNTIL_NEXT);
    case 'quantile':
      return quantileSql(name, thousandthsSql(measure.column), measure.percent);
    case 'sessions':
    case 'sessionsBy':
      return plain(
        `count(*)${filterClause(measure.where === undefined ? null : sessionConditionSql(measure.where))}`,
      );
    case 'sessionGoal':
      return plain(measure.of === 'reached' ? 'CAST(sum(reached) AS BIGINT)' : 'sum(worth)');
    case 'sessionPageviews':
      return plain('CAST(sum(pageviews) AS BIGINT)');
    case 'sessionVisitors':
      return plain(`count(DISTINCT ${VISITOR})`);
    case 'sessionDuration':
      return quantileSql(name, 'duration', measure.percent);
    case 'ofSequence':
      throw new Error('The statement of a sequence computes its own measures.');
  }
}

/** The smallest or largest text at the first or last instant that has one. */
export function atEdge(column: string, at: 'first' | 'last', where: string | null = null): string {
  const pick = at === 'first' ? 'arg_min' : 'arg_max';
  return `${pick}(${column}, (ms, ${column}))${filterClause(`${column} IS NOT NULL`, where)}`;
}

/** The text of the first pageview, or NULL when that one has none. */
export function atEntry(column: string, isPageview: string | null): string {
  const text = `coalesce(${column}, '')`;
  return `nullif(arg_min(${text}, (ms, ${text}))${filterClause(isPageview)}, '')`;
}

/** Over the columns of {@link sessionFacts}. */
export function sessionConditionSql(condition: SessionCondition): string {
  if ('interactions' in condition) return 'interactions > 0';
  return condition.pageviews === 'one' ? 'pageviews = 1' : 'pageviews > 0';
}

/** Neighbours in integers, see quantile.ts. The engine has no function for them, except around the middle. */
function quantileSql(name: string, value: string, percent: number): MeasureSql {
  const [lower, upper, values] = [rowNames.lower(name), rowNames.upper(name), rowNames.values(name)];
  if (percent === 50) {
    return {
      grouped: [
        `quantile_disc(${value}, 0.5) AS ${lower}`,
        `-quantile_disc(-${value}, 0.5) AS ${upper}`,
        `count(${value}) AS ${values}`,
      ],
      selected: [lower, upper, values],
    };
  }
  const sorted = `l_${name}`;
  const place = `(len(${sorted}) - 1) * ${percent}`;
  return {
    grouped: [`list_sort(list(${value}) FILTER (WHERE ${value} IS NOT NULL)) AS ${sorted}`],
    selected: [
      `${sorted}[1 + (${place}) // 100] AS ${lower}`,
      `${sorted}[1 + (${place} + 99) // 100] AS ${upper}`,
      `len(${sorted}) AS ${values}`,
    ],
  };
}
