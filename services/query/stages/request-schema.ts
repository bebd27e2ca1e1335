/** The shapes of a query request on the wire: what the parse stage checks and the OpenAPI document shows. */
import { z } from 'zod';
import { faultOfText } from '../../shared/text/faulty-text.ts';
import { DATASETS, DATASETS_BY_NAME } from '../datasets/index.ts';
import { GRANULARITIES, type Granularity } from '../time/buckets.ts';
import { ALIGNMENTS, COMPARED_PERIODS } from '../time/comparison.ts';
import { PRESETS } from '../time/presets.ts';
import { PARAMETER_FIELDS } from './dataset-arguments.ts';
import type { KnownNames } from './faults.ts';
import { FILTER_PLACES, filtersSchema } from './filter-groups.ts';
import { filterFields } from './filter-schema.ts';
import { nameFields, onceText } from './names.ts';
import { shown } from './shown.ts';
import { notA, notOneOf } from './wording.ts';

/** How many request objects a batch may have, and how many datasets a request object. */
export const MAX_PARTS = 50;
export const MAX_LIMIT = 10_000;

const GRANULARITY_ALIASES = {
  minutely: 'minute',
  hour: 'hourly',
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
} as const;

/** One of `values`; the fault says what came. */
function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: notOneOf(values) });
}

const NAME = 'a text of 1 to 128 characters';

/** The name of something in the catalogue. */
const nameSchema = z
  .string({ error: notA(NAME) })
  .min(1)
  .max(128);

/** Refuses what no text of an event can be. */
const wellFormed: z.core.CheckFn<string> = ({ value, issues }) => {
  const message = faultOfText(value);
  if (message !== null) issues.push({ code: 'custom', message, input: undefined });
};

/** A dimension, which may be the key of a property. */
const dimensionSchema = nameSchema.check(wellFormed);

const SEARCH = 'a text of 1 to 256 characters';

const searchSchema = z
  .string({ error: notA(SEARCH) })
  .min(1, `Must be ${SEARCH}.`)
  .max(256, `Must be ${SEARCH}.`)
  .check(wellFormed)
  .describe(
    'Rows of a list that have it in a text which they are grouped by, whatever the case. Shares stay those of all rows.',
  );

const granularitySchema = z
  .enum([...GRANULARITIES, 'minutely', 'hour', 'day', 'week', 'month'], {
    error: notOneOf(GRANULARITIES),
  })
  .transform((name): Granularity => {
    return name in GRANULARITY_ALIASES
      ? GRANULARITY_ALIASES[name as keyof typeof GRANULARITY_ALIASES]
      : (name as Granularity);
  })
  .describe('Width of the buckets of series; aliases minutely, hour, day, week, month.');

const DATE = 'YYYY-MM-DD, or an ISO 8601 date-time; without offset it is meant in the timezone.';

const dateSchema = z.string({ error: ({ input }) => `${shown(input)} is no date.` }).describe(DATE);

const compareDatesSchema = z.strictObject({ startDate: dateSchema, endDate: dateSchema });

const noPeriod = notOneOf([...COMPARED_PERIODS, '{startDate, endDate}']);

const compareSchema = z
  .union([z.enum(COMPARED_PERIODS, { error: noPeriod }), compareDatesSchema], { error: noPeriod })
  .describe(
    'The other period, whose measures every row has as `previous`: the one just before, of the same length; the same dates a year before; or dates.',
  );

const parameterFields = {
  name: z
    .string({ error: notA('the name of a dataset') })
    .min(1)
    .max(128),
  id: z
    .string({ error: notA('a text of 1 to 256 characters') })
    .min(1)
    .max(256)
    .optional()
    .describe('Stands in the answer in place of the name.'),
  startDate: dateSchema.optional(),
  endDate: dateSchema.optional(),
  granularity: granularitySchema.optional(),
} satisfies Record<(typeof PARAMETER_FIELDS)[number], z.ZodType>;

/** What else there is are arguments of the dataset, which the parse stage checks by what that declares. */
const parameterObjectSchema = z.looseObject(parameterFields);

const wholeNumber = (name: string, max: number) =>
  z
    .int({ error: ({ input }) => `${shown(input)} is no whole number from 1 to ${max}.` })
    .min(1, `${name} starts at 1.`)
    .max(max, `At most ${max}.`);

/** The datasets that need no dates. */
const UNDATED = DATASETS.flatMap(({ names, fixedRange }) => (fixedRange ? names : []));

/** One request object. An unknown field is a fault: ignoring it would give wrong numbers. */
export const requestSchema = z.strictObject({
  ...nameFields,
  id: z
    .string({ error: notA('a text of at most 256 characters') })
    .max(256)
    .optional()
    .describe('Echoed as queryId.'),
  parameters: z
    .array(
      z.union([nameSchema, parameterObjectSchema], {
        error:
          'Must be the name of a dataset or {name, id?, startDate?, endDate?, granularity?} and its arguments.',
      }),
      { error: notA('a list of dataset names, such as ["pages"]') },
    )
    .min(1, 'At least one dataset is required.')
    .max(MAX_PARTS, `At most ${MAX_PARTS} datasets.`)
    .describe(`Names of the datasets to compute: ${[...DATASETS_BY_NAME.keys()].join(', ')}.`),
  startDate: dateSchema
    .optional()
    .describe(`${DATE} Dates or a preset are required, save by ${UNDATED.join(', ')} alone.`),
  endDate: dateSchema.optional().describe('An end day is inclusive, an end date-time is that instant.'),
  preset: oneOf(PRESETS).optional().describe('A named range; wins over startDate and endDate.'),
  compare: compareSchema.optional(),
  align: oneOf(ALIGNMENTS)
    .optional()
    .describe('Beside compare. weekday: the other period moves to the nearest same weekday; default date.'),
  filters: filtersSchema.optional(),
  granularity: granularitySchema.optional(),
  limit: wholeNumber('limit', MAX_LIMIT).optional().describe("Rows of a list; the dataset's own default."),
  page: wholeNumber('page', 1_000_000).optional().describe('Page of a list, from 1.'),
  sortBy: nameSchema.optional().describe('A column of the dataset.'),
  sortOrder: oneOf(['asc', 'desc']).optional(),
  search: searchSchema.optional(),
  searchIn: z
    .array(nameSchema, { error: notA('a list of columns') })
    .min(1, 'At least one column is required.')
    .max(MAX_PARTS, `At most ${MAX_PARTS} columns.`)
    .optional()
    .describe('Beside search: the columns that are searched; default all texts that rows are grouped by.'),
  groupBy: z
    .union([dimensionSchema, z.array(dimensionSchema).max(MAX_PARTS)], {
      error: 'Must be a dimension or a list of dimensions.',
    })
    .optional()
    .describe('Further dimensions, where the dataset allows some: fields of events, and properties.<key>.'),
});
export type QueryRequest = z.output<typeof requestSchema>;

const withArguments = DATASETS.flatMap((dataset) =>
  dataset.arguments ? [{ names: dataset.names, shape: dataset.arguments.shape }] : [],
);

/** The parameters as the OpenAPI document shows them: the arguments of each dataset in an object of its own. */
export const shownParameters = z
  .array(
    z.union([
      nameSchema,
      z.strictObject(parameterFields),
      ...withArguments.map(({ names, shape }) =>
        z.strictObject({ ...parameterFields, name: z.enum(names), ...shape }),
      ),
    ]),
  )
  .min(1)
  .max(MAX_PARTS)
  .describe(requestSchema.shape.parameters.description ?? '');

const shownRequest = requestSchema.extend({ parameters: shownParameters });

/** A body as the OpenAPI document shows it: one request object, or a batch of them. */
export const shownBody = z.union([shownRequest, z.array(shownRequest).min(1).max(MAX_PARTS)]);

const dateText = onceText().describe(DATE);

/** The query string: selectors, timezone and dates, in snake_case or camelCase. */
export const queryStringSchema = z.strictObject({
  ...nameFields,
  start_date: dateText.optional(),
  startDate: dateText.optional(),
  end_date: dateText.optional(),
  endDate: dateText.optional(),
});

/** The names in a request object and its parts. */
export const REQUEST_NAMES: KnownNames = {
  '': Object.keys(requestSchema.shape),
  parameters: PARAMETER_FIELDS,
  compare: Object.keys(compareDatesSchema.shape),
  ...Object.fromEntries(FILTER_PLACES.map((place) => [place, Object.keys(filterFields)])),
};

/** The names of the query string. */
export const QUERY_STRING_NAMES: KnownNames = { '': Object.keys(queryStringSchema.shape) };
