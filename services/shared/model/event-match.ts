/** How goals, steps of funnels and the like name events: by what they are called, or by the page that was viewed. */
import { z } from 'zod';
import { faultOfText } from '../text/faulty-text.ts';
import { faultOfPattern } from '../text/pattern.ts';

/** How the name or the path is compared. */
export const MATCH_OPERATORS = ['eq', 'in', 'contains', 'starts_with', 'ends_with', 'matches'] as const;

const NUMBER_CONDITIONS = ['gt', 'gte', 'lt', 'lte'] as const;
const CONDITIONS_WITHOUT_VALUE = ['missing', 'present'] as const;

/** How a property is compared: as filters of queries do. */
export const CONDITION_OPERATORS = [
  'eq',
  'ne',
  'in',
  'not_in',
  'contains',
  'not_contains',
  'starts_with',
  'matches',
  ...NUMBER_CONDITIONS,
  ...CONDITIONS_WITHOUT_VALUE,
] as const;

export const MAX_MATCH_VALUES = 100;
export const MAX_CONDITIONS = 5;
const MAX_CONDITION_KEY = 256;

const textSchema = z
  .string()
  .max(2_048)
  .check(({ value, issues }) => {
    const message = faultOfText(value);
    if (message !== null) issues.push({ code: 'custom', message, input: value });
  });

const scalarSchema = z.union([textSchema, z.number(), z.boolean()], {
  error: 'Allowed: a text, number or boolean.',
});

function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(item).min(1).max(MAX_MATCH_VALUES);
}

/** What is wrong with the value of an operator that compares with one text, or with a list; null: nothing. */
function faultOfOperand(op: string, value: unknown): string | null {
  const takesList = op === 'in' || op === 'not_in';
  if (!takesList && Array.isArray(value)) return `The operator ${op} takes one value, not a list.`;
  if (op === 'matches') return faultOfPattern(value);
  return null;
}

const comparisonSchema = z
  .strictObject({
    op: z.enum(MATCH_OPERATORS),
    value: z
      .union([textSchema.min(1), listOf(textSchema.min(1))], {
        error: 'Allowed: a text; for in also a list.',
      })
      .describe('A name or path; for in also a list; for matches a regular expression in the syntax of RE2.'),
  })
  .check(({ value: { op, value }, issues }) => {
    const message = faultOfOperand(op, value);
    if (message !== null) issues.push({ code: 'custom', path: ['value'], message, input: value });
  });

/** A condition on a property of the event, as a filter of a query writes it. */
export const conditionSchema = z
  .strictObject({
    field: textSchema
      .max('properties.'.length + MAX_CONDITION_KEY)
      .regex(/^properties\../s, { error: 'Allowed: properties.<key>.' })
      .describe('properties.<key>'),
    op: z.enum(CONDITION_OPERATORS),
    value: z
      .union([scalarSchema, listOf(scalarSchema)], {
        error: 'Allowed: a text, number or boolean; for in and not_in also a list of them.',
      })
      .optional()
      .describe(
        'A text, number or boolean; for in and not_in also a list of them; none with missing and present.',
      ),
  })
  .check(({ value: { op, value }, issues }) => {
    const message = faultOfCondition(op, value);
    if (message !== null) issues.push({ code: 'custom', path: ['value'], message, input: value });
  });

function faultOfCondition(op: string, value: unknown): string | null {
  const isOneOf = (operators: readonly string[]) => operators.includes(op);
  if (isOneOf(CONDITIONS_WITHOUT_VALUE))
    return value === undefined ? null : `The operator ${op} takes no value.`;
  if (value === undefined) return `The operator ${op} takes a value.`;
  if (isOneOf(NUMBER_CONDITIONS))
    return typeof value === 'number' ? null : `The operator ${op} takes a number.`;
  return faultOfOperand(op, value);
}

export const eventMatchFields = {
  type: z
    .enum(['event', 'page'])
    .describe('event: compares the name of every event; page: the path of pageviews (screen_view).'),
  match: comparisonSchema,
  conditions: z
    .array(conditionSchema)
    .max(MAX_CONDITIONS)
    .optional()
    .describe('Conditions on properties of the event, all of which hold.'),
};

/** Events that a goal, a step of a funnel or an exclusion means. Crawlers never match. */
export const eventMatchSchema = z.strictObject(eventMatchFields);
export type EventMatch = z.infer<typeof eventMatchSchema>;
export type EventCondition = z.infer<typeof conditionSchema>;
