/** Which events a screen is about, those of a kind or of a goal, as its address says. */
import type { EventMatch } from '../../api/wire.ts';
import {
  CONDITION_OPERATORS,
  type Condition,
  MOST_CONDITIONS,
  OPERATORS,
  PREFIX,
  TYPES,
  takesList,
  takesNumber,
  takesValue,
} from './event-match.ts';

/** Events of a kind, or those of a goal. */
export type EventChoice = EventMatch | { readonly goalId: string };

/** A choice as it stands in an address. */
export function choiceText(choice: EventChoice | undefined): string | undefined {
  if (choice === undefined) return undefined;
  if ('goalId' in choice) return JSON.stringify(['goal', choice.goalId]);
  const { type, match, conditions = [] } = choice;
  return JSON.stringify([
    ...[type, match.op, match.value],
    ...conditions.map(({ field, op, value }) => [field.slice(PREFIX.length), op, value ?? '']),
  ]);
}

/** The arguments of a dataset: the match under one name, or a goal under the other. */
export function choiceArguments(choice: EventChoice | undefined, match: string, goal: string): object {
  if (choice === undefined) return {};
  return 'goalId' in choice ? { [goal]: choice.goalId } : { [match]: choice };
}

/** The choice of an address; undefined: there is none, or it makes no sense. */
export function choiceOf(text: string | undefined): EventChoice | undefined {
  let entry: unknown;
  try {
    entry = JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
  if (!Array.isArray(entry)) return undefined;
  const [type, second, value, ...rest] = entry as unknown[];
  if (type === 'goal') return typeof second === 'string' ? { goalId: second } : undefined;
  const known = TYPES.find((each) => each === type);
  const op = OPERATORS.find((each) => each === second);
  const conditions = rest.flatMap((each) => conditionOf(each) ?? []);
  if (known === undefined || op === undefined || conditions.length < rest.length) return undefined;
  if (!isOperand(value, takesList(op)) || rest.length > MOST_CONDITIONS) return undefined;
  return { type: known, match: { op, value: value as string | string[] }, conditions };
}

function conditionOf(entry: unknown): Condition | undefined {
  if (!Array.isArray(entry)) return undefined;
  const [key, second, value] = entry as unknown[];
  const op = CONDITION_OPERATORS.find((each) => each === second);
  if (typeof key !== 'string' || key === '' || op === undefined) return undefined;
  if (!takesValue(op)) return { field: PREFIX + key, op };
  const isGood = takesNumber(op) ? typeof value === 'number' : isOperand(value, takesList(op));
  return isGood ? { field: PREFIX + key, op, value: value as string | number | string[] } : undefined;
}

function isOperand(value: unknown, isList: boolean): boolean {
  const values = isList && Array.isArray(value) ? value : [value];
  return values.length > 0 && values.every((each) => typeof each === 'string' && each !== '');
}
