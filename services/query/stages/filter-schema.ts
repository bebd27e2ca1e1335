/** The shape of a single filter on the wire; groups of them: see filter-groups.ts. */
import { z } from 'zod';
import { faultOfText } from '../../shared/text/faulty-text.ts';
import { type FilterScalar, filterValueSchema } from './filter-value.ts';
import { notA, notOneOf } from './wording.ts';

/** How many filters a request may have, over all its groups. */
export const MAX_FILTERS = 20;

/** Operators of every field that take a value. */
export const EQUALITY = ['eq', 'ne', 'in', 'not_in'] as const;
export const TEXT_OPERATORS = ['contains', 'not_contains', 'starts_with', 'matches'] as const;
/** Operators of numbers. */
export const COMPARISONS = ['gt', 'gte', 'lt', 'lte'] as const;
/** Operators without a value. */
export const PRESENCE = ['missing', 'present'] as const;

const OPERATORS = [
  'eq',
  'ne',
  'contains',
  'not_contains',
  'starts_with',
  'in',
  'not_in',
  'matches',
  ...COMPARISONS,
  ...PRESENCE,
] as const;
export type FilterOperator = (typeof OPERATORS)[number];
const OPERATOR_ALIASES = { like: 'contains', notIn: 'not_in' } as const;

/** What a filter keeps: matching events, or all events of the sessions or visitors that have one. */
const SUBJECTS = ['event', 'session', 'visitor'] as const;
export type FilterSubject = (typeof SUBJECTS)[number];

const operatorSchema = z
  .enum([...OPERATORS, 'like', 'notIn'], {
    error: notOneOf(OPERATORS),
  })
  .transform((name): FilterOperator => {
    return name in OPERATOR_ALIASES
      ? OPERATOR_ALIASES[name as keyof typeof OPERATOR_ALIASES]
      : (name as FilterOperator);
  });

/** A filter as it came: its operator under either name. */
interface WrittenFilter<Operator> {
  readonly field: string;
  readonly op?: Operator | undefined;
  readonly operator?: Operator | undefined;
  readonly value: FilterScalar | FilterScalar[];
}

/**
 * The schema, whose output has only `op`. Faults: no operator, two that differ, or a list for an operator that takes
 * none.
 */
export function withOneOperator<Operator extends string>(
  schema: z.ZodType<WrittenFilter<Operator>>,
  allowed: readonly string[],
) {
  return schema
    .meta({ anyOf: [{ required: ['op'] }, { required: ['operator'] }] })
    .refine((filter) => !hasNoOperator(filter), {
      path: ['op'],
      message: `Required: one of ${allowed.join(', ')}.`,
      // Reported with the other faults, not after them.
      when: () => true,
    })
    .transform(({ field, op, operator, value }, { issues }) => {
      const named = (op ?? operator) as Operator;
      if (operator !== undefined && operator !== named) {
        const message = `Came twice with different values: op ${named} and operator ${operator}.`;
        issues.push({ code: 'custom', path: ['operator'], input: undefined, message });
      }
      if (Array.isArray(value) && named !== 'in' && named !== 'not_in') {
        const message = `The operator ${named} takes one value; in and not_in take lists.`;
        issues.push({ code: 'custom', path: ['value'], input: undefined, message });
      }
      return { field, op: named, value };
    });
}

function hasNoOperator(filter: unknown): boolean {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) return false;
  const { op, operator } = filter as Readonly<Record<string, unknown>>;
  return op === undefined && operator === undefined;
}

export const filterFields = {
  field: z
    .string({ error: notA('the name of a field, such as "path"') })
    .min(1)
    .check(({ value, issues }) => {
      const message = faultOfText(value);
      if (message !== null) issues.push({ code: 'custom', message, input: undefined });
    }),
  op: operatorSchema.optional(),
  operator: operatorSchema.optional().describe('The same as op.'),
  value: filterValueSchema,
  of: z
    .enum(SUBJECTS, { error: notOneOf(SUBJECTS) })
    .optional()
    .describe(
      'What it keeps: matching events (event, the default), or all events of the sessions or visitors that have a matching event in range.',
    ),
};

export const filterSchema = withOneOperator(z.strictObject(filterFields), OPERATORS);
