/** What matches an event, as a form holds it and as the API takes it. */
import type { EventMatch } from '../../api/wire.ts';

export const TYPES = ['page', 'event'] as const satisfies readonly EventMatch['type'][];
export const OPERATORS = [
  ...['eq', 'in', 'contains', 'starts_with', 'ends_with', 'matches'],
] as readonly EventMatch['match']['op'][];
export type Condition = NonNullable<EventMatch['conditions']>[number];
export const CONDITION_OPERATORS = [
  ...['eq', 'ne', 'in', 'not_in', 'contains', 'not_contains', 'starts_with', 'matches'],
  ...['gt', 'gte', 'lt', 'lte', 'missing', 'present'],
] as readonly Condition['op'][];
/** As many as the API takes. */
export const MOST_CONDITIONS = 5;
export const PREFIX = 'properties.';

export interface ConditionDraft {
  /** Tells it apart from the others. */
  readonly row: number;
  /** Name of the property. */
  readonly key: string;
  readonly op: Condition['op'];
  /** Of a list, one a line. */
  readonly value: string;
}

export interface MatchDraft {
  readonly type: EventMatch['type'];
  readonly op: EventMatch['match']['op'];
  /** Of a list, one a line. */
  readonly value: string;
  readonly conditions: readonly ConditionDraft[];
}

export const NEW_MATCH: MatchDraft = { type: 'page', op: 'eq', value: '', conditions: [] };

/** Whether an operator compares with a list. */
export const takesList = (op: Condition['op'] | EventMatch['match']['op']): boolean =>
  op === 'in' || op === 'not_in';
export const takesValue = (op: Condition['op']): boolean => op !== 'missing' && op !== 'present';
export const takesNumber = (op: Condition['op']): boolean => /^[gl]te?$/.test(op);

export function draftOf({ type, match, conditions = [] }: EventMatch): MatchDraft {
  return {
    type,
    op: match.op,
    value: [match.value].flat().join('\n'),
    conditions: conditions.map(({ field, op, value = '' }, row) => ({
      row,
      key: field.slice(PREFIX.length),
      op,
      value: [value].flat().join('\n'),
    })),
  };
}

/** The fields of a match; what is wrong with them, the API says. */
export function matchOf({ type, op, value, conditions }: MatchDraft): EventMatch {
  return {
    type,
    match: { op, value: takesList(op) ? linesOf(value) : value },
    conditions: conditions.map((each) => ({
      field: PREFIX + each.key,
      op: each.op,
      ...(takesValue(each.op) && { value: operandOf(each) }),
    })),
  };
}

function operandOf({ op, value }: ConditionDraft): string | number | string[] {
  if (takesList(op)) return linesOf(value);
  const number = Number(value);
  return takesNumber(op) && value.trim() !== '' && Number.isFinite(number) ? number : value;
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
