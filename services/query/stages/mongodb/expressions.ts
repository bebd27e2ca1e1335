/** Expressions of MongoDB's aggregation: texts, conditions and numbers of events. Client values appear as literals. */
import type { NumberColumn, TextColumn } from '../../../shared/model/event-record.ts';
import { hostField, PAIRS_FIELD } from '../../../shared/storage/mongodb/event-document.ts';
import { type Condition, LARGEST_NUMBER } from '../../catalogue/measure.ts';
import type { Text, TextSource } from '../../catalogue/text.ts';

/** An expression: a field path as `$field`, an operator with its arguments, a document of expressions. */
export type Expression =
  | string
  | number
  | boolean
  | null
  | readonly Expression[]
  | { readonly [operatorOrField: string]: Expression };

/** A stage of a pipeline. */
export type Stage = Readonly<Record<string, unknown>>;

/** A value that is never read as a field path, an operator, or an inclusion in a projection. */
export function literal(value: Expression): Expression {
  return { $literal: value };
}

/** A field path; a stray name cannot become a variable. */
export function field(name: string): string {
  return `$${name}`;
}

export function when(condition: Expression, then: Expression, otherwise: Expression): Expression {
  return { $cond: [condition, then, otherwise] };
}

export function orElse(value: Expression, otherwise: Expression): Expression {
  return { $ifNull: [value, otherwise] };
}

export function isGiven(value: Expression): Expression {
  return { $ne: [orElse(value, null), null] };
}

/** 1 when the condition holds, else 0. */
export function oneIf(condition: Expression): Expression {
  return when(condition, literal(1), literal(0));
}

/** The text of an event, or null when it is missing or empty. */
export function textExpression({ source, missingWhen }: Text): Expression {
  const value = sourceExpression(source);
  const present = isPresent(value);
  const text = (condition: Expression) => when(condition, value, null);
  if (!missingWhen) return text(present);
  const isMissing = { $eq: [field(missingWhen.column), literal(missingWhen.is)] };
  return text({ $and: [{ $not: [isMissing] }, present] });
}

/** Neither missing nor empty. */
export function isPresent(text: Expression): Expression {
  return { $ne: [orElse(text, literal('')), literal('')] };
}

/** `value`, with the replacement for a missing one. */
export function orMissing(value: Expression, { missing }: Text): Expression {
  return orElse(value, literal(missing));
}

function sourceExpression(source: TextSource): Expression {
  if ('column' in source) return field(source.column);
  if ('hostOf' in source) return field(hostField(source.hostOf));
  if ('property' in source) return propertyExpression(source.property);
  return field(`${PAIRS_FIELD}.${source.pair === 'key' ? 'k' : 'v'}`);
}

/** The text of a property; null when there is no such key. Every pair has a value, so both lists have the same length. */
function propertyExpression(key: string): Expression {
  const position = { $indexOfArray: [orElse(field(`${PAIRS_FIELD}.k`), literal([])), literal(key)] };
  return when({ $gte: [position, 0] }, { $arrayElemAt: [field(`${PAIRS_FIELD}.v`), position] }, null);
}

export function conditionExpression(condition: Condition): Expression {
  if ('number' in condition) return isGiven(field(condition.number));
  const column = field(condition.column);
  if ('is' in condition) return { $eq: [column, literal(condition.is)] };
  const others = literal(['', ...condition.presentAndNot]);
  return { $not: [{ $in: [orElse(column, literal('')), others] }] };
}

/** The text of a column when it is present and the condition holds, else null. */
export function textOfColumn(column: TextColumn, where?: Condition): Expression {
  const present = isPresent(field(column));
  const condition = where ? { $and: [present, conditionExpression(where)] } : present;
  return when(condition, field(column), null);
}

/**
 * Matches thousandths(); see catalogue/measure.ts. A 64-bit integer, so that sums are exact; null when missing.
 * Converted to double first: the driver writes whole numbers as 32-bit integers.
 */
export function thousandthsExpression(column: NumberColumn): Expression {
  const bounded = { $min: [{ $max: [{ $toDouble: field(column) }, -LARGEST_NUMBER] }, LARGEST_NUMBER] };
  const rounded = { $floor: { $add: [{ $multiply: [bounded, 1_000] }, 0.5] } };
  return when(isGiven(field(column)), { $toLong: rounded }, null);
}

/** What is shown for a text, if it is in the list; else the text itself. */
export function shownExpression(
  text: Expression,
  { shown }: { readonly shown?: Readonly<Record<string, string>> },
): Expression {
  if (!shown) return text;
  const position = { $indexOfArray: [literal(Object.keys(shown)), text] };
  const found = { $arrayElemAt: [literal(Object.values(shown)), position] };
  return when({ $gte: [position, 0] }, found, text);
}
