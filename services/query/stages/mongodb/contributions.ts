/** What one event, or one session, contributes to each measure: fields that groupings add up, in any number of steps. */
import { isOfSessions, type Measure, type SessionCondition } from '../../catalogue/measure.ts';
import { rowNames } from '../row-names.ts';
import {
  conditionExpression,
  type Expression,
  field,
  literal,
  oneIf,
  orElse,
  textExpression,
  textOfColumn,
  thousandthsExpression,
  when,
} from './expressions.ts';

/** Measures by name. */
export type NamedMeasures = readonly (readonly [name: string, measure: Measure])[];

/** Fields of a session, see session-stages.ts. */
export const SESSION = {
  id: 's_id',
  first: 's_first',
  last: 's_last',
  pageviews: 's_pageviews',
  interactions: 's_interactions',
  visitor: 's_visitor',
} as const;

/** A value that a measure distinguishes: a text that counts once, or a number for quantiles. */
export interface Member {
  /** The field that holds it; it is null where there is none. */
  readonly field: string;
  readonly is: 'text' | 'value';
  readonly value: Expression;
  /** Names of the measures that distinguish it. */
  readonly measures: readonly string[];
}

/** The members that measures distinguish; those of one column are the same member. */
export function membersOf(measures: NamedMeasures): readonly Member[] {
  const members = new Map<string, Member>();
  for (const [name, measure] of measures) {
    const found = memberOf(measure);
    if (!found) continue;
    const key = JSON.stringify(found);
    const known = members.get(key);
    const named = known ? [...known.measures, name] : [name];
    members.set(key, { ...found, field: known?.field ?? `k_${members.size}`, measures: named });
  }
  return [...members.values()];
}

function memberOf(measure: Measure): Pick<Member, 'is' | 'value'> | null {
  switch (measure.kind) {
    case 'distinct':
      return { is: 'text', value: textOfColumn(measure.column, measure.where) };
    case 'sessionVisitors':
      return { is: 'text', value: orElse(field(`${SESSION.visitor}.v`), null) };
    case 'quantile':
      return { is: 'value', value: thousandthsExpression(measure.column) };
    case 'sessionDuration':
      return { is: 'value', value: { $toLong: { $subtract: [field(SESSION.last), field(SESSION.first)] } } };
    default:
      return null;
  }
}

/** Fields of an event or session: its members, and under the name of each other measure its contribution. */
export function contributions(measures: NamedMeasures): Readonly<Record<string, Expression>> {
  const fields: Record<string, Expression> = {};
  for (const member of membersOf(measures)) fields[member.field] = member.value;
  for (const [name, measure] of measures) {
    const adds = contribution(measure);
    if (adds !== null) fields[rowNames.measure(name)] = adds;
  }
  return fields;
}

function contribution(measure: Measure): Expression {
  switch (measure.kind) {
    case 'count':
      return measure.where ? oneIf(conditionExpression(measure.where)) : literal(1);
    case 'sum':
      return orElse(thousandthsExpression(measure.column), literal(0));
    case 'first':
    case 'last':
      return field('timestamp');
    case 'text':
      return edge(textExpression(measure.text), field('timestamp'));
    case 'number':
      return orElse(field(measure.column), null);
    case 'sessions':
      return measure.where ? oneIf(sessionExpression(measure.where)) : literal(1);
    default:
      return null;
  }
}

/** An instant and a text, which compare in this order; null without text. */
export function edge(text: Expression, instant: Expression): Expression {
  return when({ $ne: [text, null] }, { t: instant, v: text }, null);
}

function sessionExpression(condition: SessionCondition): Expression {
  if ('interactions' in condition) return { $gt: [field(SESSION.interactions), 0] };
  return {
    [condition.pageviews === 'one' ? '$eq' : '$gt']: [field(SESSION.pageviews), oneOrNone(condition)],
  };
}

function oneOrNone({ pageviews }: { readonly pageviews: 'one' | 'some' }): number {
  return pageviews === 'one' ? 1 : 0;
}

/** How contributions are added up; null for measures over members. The sum of sums is a sum, and so on. */
export function accumulator(
  measure: Measure,
  contributed: Expression,
): Readonly<Record<string, Expression>> | null {
  switch (measure.kind) {
    case 'count':
    case 'sum':
    case 'sessions':
      return { $sum: contributed };
    case 'first':
      return { $min: contributed };
    case 'last':
      return { $max: contributed };
    case 'text':
      return { [measure.at === 'first' ? '$min' : '$max']: contributed };
    default:
      return null;
  }
}

/** The measures of events, and those of sessions. */
export function splitMeasures(measures: Readonly<Record<string, Measure>>): {
  readonly ofEvents: NamedMeasures;
  readonly ofSessions: NamedMeasures;
} {
  const all = Object.entries(measures);
  return {
    ofEvents: all.filter(([, measure]) => !isOfSessions(measure)),
    ofSessions: all.filter(([, measure]) => isOfSessions(measure)),
  };
}
