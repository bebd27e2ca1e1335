/** What a goal may hold when it is written, and how it looks on the wire (contract.md sections 7 and 9). */
import { z } from 'zod';
import type { ErrorDetail } from '../../shared/errors/api-error.ts';
import { eventMatchFields } from '../../shared/model/event-match.ts';
import { type Goal, goalSchema } from '../../shared/model/goal.ts';
import { cleanText } from '../../shared/text/clean-text.ts';
import { nameSchema } from '../../shared/text/name-schema.ts';

/** Positions are whole numbers below this. */
const POSITIONS = 1_000_000_000;
/** How many characters a stored position has: with leading zeros, texts sort as numbers do. */
const POSITION_LENGTH = String(POSITIONS - 1).length;
/** How far behind the last goal a new one stands, so that others fit in between. */
export const POSITION_STEP = 1_000;

const LONGEST_PROPERTY = 128;
const PROPERTY = `Allowed: the name of a property, 1 to ${LONGEST_PROPERTY} characters.`;
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const CURRENCY = 'Allowed: a currency of ISO 4217, such as "EUR".';
const POSITION = `Allowed: a whole number from 0 to ${POSITIONS - 1}.`;

/** The fields of a new goal. */
export const goalFieldsSchema = z.strictObject({
  name: nameSchema(),
  ...eventMatchFields,
  revenueProperty: z
    .string(PROPERTY)
    .min(1, PROPERTY)
    .max(LONGEST_PROPERTY, PROPERTY)
    .refine((text) => cleanText(text) === text, PROPERTY)
    .nullish()
    .describe(
      'The property of the matching events whose number is what each is worth; without it they are worth nothing.',
    ),
  currency: z
    .string(CURRENCY)
    .refine((text) => CURRENCIES.has(text), CURRENCY)
    .nullish()
    .describe('The currency of that number: a code of ISO 4217, such as EUR. Nothing is converted.'),
  position: z
    .int(POSITION)
    .min(0, POSITION)
    .max(POSITIONS - 1, POSITION)
    .optional()
    .describe(
      `Goals stand in ascending order, those of one position as they were created. Without it a new goal stands ${POSITION_STEP} behind the last one of its website, so that another fits in between.`,
    ),
});
export type GoalFields = z.output<typeof goalFieldsSchema>;

/** What no field can tell by itself. */
export function goalFaults({ revenueProperty, currency }: GoalFields): readonly ErrorDetail[] {
  if (currency == null || revenueProperty != null) return [];
  return [
    { field: 'currency', message: 'Allowed with revenueProperty only: it is the currency of that number.' },
  ];
}

/** A goal on the wire. */
export const goalViewSchema = goalSchema
  .omit({ version: true })
  .extend({ position: z.number().int() })
  .meta({ title: 'Goal' });
export type GoalView = z.infer<typeof goalViewSchema>;

/** A stored goal in its wire form. */
export function toGoalView({ version: _, position, ...shown }: Goal): GoalView {
  return { ...shown, position: Number(position) };
}

/** What is stored of the named fields. */
export function storedGoal({ position, ...fields }: Partial<GoalFields>) {
  return position === undefined ? fields : { ...fields, position: positionText(position) };
}

function positionText(position: number): string {
  return String(position).padStart(POSITION_LENGTH, '0');
}

/** The position behind the last goal; the largest there is when none is left. */
export function positionBehind(last: Pick<Goal, 'position'> | undefined): number {
  return last === undefined ? 0 : Math.min(Number(last.position) + POSITION_STEP, POSITIONS - 1);
}
