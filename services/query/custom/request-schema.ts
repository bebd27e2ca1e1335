/** The shapes of a custom query's body on the wire: SQL text, or the structured form; the OpenAPI document shows them. */
import { z } from 'zod';
import { ILL_FORMED, isWellFormed } from '../../shared/text/faulty-text.ts';
import type { KnownNames } from '../stages/faults.ts';
import { withOneOperator } from '../stages/filter-schema.ts';
import { filterValueSchema } from '../stages/filter-value.ts';
import { nameFields } from '../stages/names.ts';
import { shown } from '../stages/shown.ts';
import { VIEWS } from '../views.ts';
import { MAX_SQL_BYTES } from './guarded-query.ts';

/** How many parameters are allowed, and how many bytes all of them may have as JSON. */
export const MAX_PARAMS = 100;
export const MAX_PARAM_BYTES = 64 * 1024;

/** How many selects, filters and groups the structured form may have. */
export const MAX_STRUCTURED_PARTS = 20;

/** How many rows a client may ask for. */
export const MAX_LIMIT = 10_000;

export const AGGREGATES = ['count', 'uniq', 'sum', 'avg', 'min', 'max', 'median', 'p95'] as const;
export type Aggregate = (typeof AGGREGATES)[number];

export const STRUCTURED_OPERATORS = [
  'eq',
  'ne',
  'contains',
  'not_contains',
  'starts_with',
  'in',
  'not_in',
  'gt',
  'gte',
  'lt',
  'lte',
] as const;
export type StructuredOperator = (typeof STRUCTURED_OPERATORS)[number];
const ALIASES = { like: 'contains', notIn: 'not_in' } as const;

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const TABLES = Object.keys(VIEWS) as [string, ...string[]];

const cleanText = (what: string) =>
  z.string({ error: ({ input }) => `${shown(input)} is no ${what}.` }).refine(isWellFormed, ILL_FORMED);

function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, {
    error: ({ input }) => `${shown(input)} is not one of ${values.join(', ')}.`,
  });
}

const operator = z
  .enum([...STRUCTURED_OPERATORS, 'like', 'notIn'], {
    error: ({ input }) => `${shown(input)} is not one of ${STRUCTURED_OPERATORS.join(', ')}.`,
  })
  .transform(
    (name): StructuredOperator =>
      name in ALIASES ? ALIASES[name as keyof typeof ALIASES] : (name as StructuredOperator),
  );

const field = cleanText('name of a column').min(1).max(256);

const param = z
  .union(
    [
      z.string(),
      z.number(),
      z.boolean(),
      z.null(),
      z.array(z.string()).max(1_000),
      z.array(z.number()).max(1_000),
    ],
    { error: 'Must be a text, number, boolean, null, or a list of at most 1,000 texts or numbers.' },
  )
  .refine(
    (value) => [value].flat().every((each) => typeof each !== 'string' || isWellFormed(each)),
    ILL_FORMED,
  );

const params = z
  .record(z.string().regex(NAME, 'A name has letters, digits and _, at most 64.'), param, {
    error: ({ input }) => `${shown(input)} is no object of parameters.`,
  })
  .refine((value) => Object.keys(value).length <= MAX_PARAMS, `At most ${MAX_PARAMS} parameters.`)
  .refine(
    (value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_PARAM_BYTES,
    `At most ${MAX_PARAM_BYTES} bytes of parameters.`,
  )
  .describe('Values by name; the query uses them as $name.');

const select = z.strictObject({
  field: field.optional().describe('A column, or * (also when absent) for count.'),
  aggregate: oneOf(AGGREGATES),
  alias: z
    .string()
    .regex(NAME, 'An alias has letters, digits and _, at most 64.')
    .optional()
    .describe('Name of the column in the answer; default: aggregate_field.'),
});

const filterFields = {
  field,
  op: operator.optional(),
  operator: operator.optional().describe('The same as op.'),
  value: filterValueSchema,
};
const filter = withOneOperator(z.strictObject(filterFields), STRUCTURED_OPERATORS);

const few = (what: string) => `At most ${MAX_STRUCTURED_PARTS} ${what}.`;

export const structuredSchema = z.strictObject({
  table: oneOf(TABLES),
  selects: z
    .array(select, { error: 'Must be a list of {field, aggregate, alias?}.' })
    .min(1, 'At least one select is required.')
    .max(MAX_STRUCTURED_PARTS, few('selects')),
  filters: z.array(filter).max(MAX_STRUCTURED_PARTS, few('filters')).optional(),
  groupBy: z.array(field).max(MAX_STRUCTURED_PARTS, few('columns')).optional(),
});
export type StructuredQuery = z.output<typeof structuredSchema>;

const date = cleanText('date').describe('YYYY-MM-DD or an ISO 8601 date-time; an end day is inclusive.');

const bodyFields = z.strictObject({
  ...nameFields,
  sql: cleanText('SQL text')
    .min(1)
    .optional()
    .describe(`One SELECT of at most ${MAX_SQL_BYTES} bytes, in the SQL of DuckDB.`),
  params: params.optional(),
  query: structuredSchema.optional().describe('The structured form, in place of sql.'),
  startDate: date.optional(),
  endDate: date.optional(),
  limit: z
    .int({ error: ({ input }) => `${shown(input)} is no whole number from 1 to ${MAX_LIMIT}.` })
    .min(1, 'limit starts at 1.')
    .max(MAX_LIMIT, `At most ${MAX_LIMIT}.`)
    .optional()
    .describe('Most rows of the answer.'),
});

export const customBodySchema = bodyFields.check(({ value, issues }) => {
  if ((value.sql === undefined) === (value.query === undefined)) {
    issues.push({ code: 'custom', path: ['sql'], input: undefined, message: 'Give either sql or query.' });
  }
});
export type CustomBody = z.output<typeof customBodySchema>;

/** The names in a custom query and its parts; those in `params` are the client's own. */
export const CUSTOM_NAMES: KnownNames = {
  '': Object.keys(bodyFields.shape),
  query: Object.keys(structuredSchema.shape),
  'query.selects': Object.keys(select.shape),
  'query.filters': Object.keys(filterFields),
};
