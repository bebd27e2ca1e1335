/** The shapes of a query request on the wire: what the parse stage checks and the OpenAPI document shows. */
import { z } from 'zod';
import { GRANULARITIES, type Granularity } from '../time/buckets.ts';
import { PRESETS } from '../time/presets.ts';

/** Most request objects of a batch, and most datasets of a request object. */
export const MAX_PARTS = 50;
export const MAX_FILTERS = 20;
export const MAX_LIMIT = 10_000;

const GRANULARITY_ALIASES = { hour: 'hourly', day: 'daily', week: 'weekly', month: 'monthly' } as const;

const OPERATORS = ['eq', 'ne', 'contains', 'not_contains', 'starts_with', 'in', 'not_in'] as const;
export type FilterOperator = (typeof OPERATORS)[number];
const OPERATOR_ALIASES = { like: 'contains', notIn: 'not_in' } as const;

/** One of `values`; the fault says what came. */
function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, {
    error: ({ input }) => `${shown(input)} is not one of ${values.join(', ')}.`,
  });
}

/** What came, cut to a length that is safe to repeat. */
export function shown(input: unknown): string {
  const text = JSON.stringify(input) ?? 'nothing';
  return text.length > 64 ? `${text.slice(0, 64)}…` : text;
}

/** Stores hold well-formed Unicode without NUL only, so nothing else can be asked for. */
const cleanText = z
  .string({ error: ({ input }) => `${shown(input)} is no text.` })
  .max(4096)
  .refine((text) => !text.includes('\0') && !/\p{Surrogate}/u.test(text), {
    error: 'Must be well-formed Unicode without NUL.',
  });

const granularitySchema = z
  .enum([...GRANULARITIES, 'hour', 'day', 'week', 'month'], {
    error: ({ input }) => `${shown(input)} is not one of ${GRANULARITIES.join(', ')}.`,
  })
  .transform((name): Granularity => {
    return name in GRANULARITY_ALIASES
      ? GRANULARITY_ALIASES[name as keyof typeof GRANULARITY_ALIASES]
      : (name as Granularity);
  })
  .describe('Width of the buckets of series; aliases hour, day, week, month.');

const operatorSchema = z
  .enum([...OPERATORS, 'like', 'notIn'], {
    error: ({ input }) => `${shown(input)} is not one of ${OPERATORS.join(', ')}.`,
  })
  .transform((name): FilterOperator => {
    return name in OPERATOR_ALIASES
      ? OPERATOR_ALIASES[name as keyof typeof OPERATOR_ALIASES]
      : (name as FilterOperator);
  });

const dateSchema = z
  .string({ error: ({ input }) => `${shown(input)} is no date.` })
  .describe('YYYY-MM-DD, or an ISO 8601 date-time; without offset it is meant in the timezone.');

const parameterObjectSchema = z.object({
  name: z.string({ error: 'The name of a dataset is required.' }).min(1).max(128),
  id: z.string().min(1).max(256).optional().describe('Stands in the answer in place of the name.'),
  startDate: dateSchema.optional(),
  endDate: dateSchema.optional(),
  granularity: granularitySchema.optional(),
});

const scalarSchema = z.union([cleanText, z.number(), z.boolean()]);

const filterSchema = z
  .object({
    field: cleanText.min(1),
    op: operatorSchema,
    value: z.union([scalarSchema, z.array(scalarSchema)], {
      error: 'Must be text, a number or a list of these.',
    }),
  })
  .check((context) => {
    const { op, value } = context.value;
    if (!Array.isArray(value) || op === 'in' || op === 'not_in') return;
    context.issues.push({
      code: 'custom',
      path: ['value'],
      input: value,
      message: `The operator ${op} takes one value; in and not_in take lists.`,
    });
  });

const wholeNumber = (name: string, max: number) =>
  z
    .int({ error: ({ input }) => `${shown(input)} is no whole number.` })
    .min(1, `${name} starts at 1.`)
    .max(max, `${name} is at most ${max}.`);

/** One request object. Unknown fields are ignored: clients in the wild add some. */
export const requestSchema = z.object({
  id: z.string().max(256).optional().describe('Echoed as queryId.'),
  parameters: z
    .array(
      z.union([z.string().min(1).max(128), parameterObjectSchema], {
        error: 'Must be the name of a dataset or {name, id?, startDate?, endDate?, granularity?}.',
      }),
      { error: ({ input }) => `${shown(input)} is no list of dataset names.` },
    )
    .min(1, 'At least one dataset is required.')
    .max(MAX_PARTS, `At most ${MAX_PARTS} datasets.`)
    .describe('Names of the datasets to compute.'),
  startDate: dateSchema.optional(),
  endDate: dateSchema.optional().describe('An end day is inclusive, an end date-time is that instant.'),
  preset: oneOf(PRESETS).optional().describe('A named range; wins over startDate and endDate.'),
  filters: z.array(filterSchema).max(MAX_FILTERS, `At most ${MAX_FILTERS} filters.`).optional(),
  granularity: granularitySchema.optional(),
  limit: wholeNumber('limit', MAX_LIMIT).optional().describe("Rows of a list; the dataset's own default."),
  page: wholeNumber('page', 1_000_000).optional().describe('Page of a list, from 1.'),
  sortBy: z.string().min(1).max(128).optional().describe('A column of the dataset.'),
  sortOrder: oneOf(['asc', 'desc']).optional(),
  groupBy: z
    .union([z.string().min(1).max(128), z.array(z.string().min(1).max(128)).max(MAX_PARTS)], {
      error: 'Must be a dimension or a list of dimensions.',
    })
    .optional()
    .describe('Further dimensions, where the dataset allows some.'),
});
export type QueryRequest = z.output<typeof requestSchema>;

/** A body: one request object, or a batch of them. */
export const bodySchema = z.union([requestSchema, z.array(requestSchema).min(1).max(MAX_PARTS)]);

const selector = z.string().min(1).max(256);

/** The query string: selectors, timezone and dates, in snake_case or camelCase. */
export const queryStringSchema = z.object({
  website_id: selector.optional().describe('Query this website.'),
  websiteId: selector.optional(),
  organization_id: selector
    .optional()
    .describe('Query all websites and organization events; needs global access.'),
  organizationId: selector.optional(),
  link_id: selector.optional().describe('Query this short link.'),
  linkId: selector.optional(),
  timezone: z.string().max(64).optional().describe('IANA time zone; default UTC.'),
  start_date: dateSchema.optional(),
  startDate: dateSchema.optional(),
  end_date: dateSchema.optional(),
  endDate: dateSchema.optional(),
});
export type QueryString = z.output<typeof queryStringSchema>;
