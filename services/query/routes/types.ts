/** GET /v1/query/types: the catalogue of datasets, open to anybody. */
import { z } from 'zod';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import type { Dataset } from '../catalogue/dataset.ts';
import { filterFieldsOf } from '../catalogue/filter-fields.ts';
import { DATASETS_BY_NAME } from '../datasets/index.ts';
import type { QueryPorts } from '../query-ports.ts';
import { type ColumnFilter, columnFilter, columnFilterSchema } from '../stages/column-filters.ts';
import { PRESETS } from '../time/presets.ts';
import { VIEWS } from '../views.ts';

const queryString = z.object({
  include_meta: z
    .enum(['true', 'false'], { error: 'Must be true or false.' })
    .optional()
    .describe('true: with descriptions and output fields.'),
});

const fieldSchema = z.object({ name: z.string(), type: z.string() });
const outputFieldSchema = fieldSchema.extend({
  filter: columnFilterSchema.optional().describe('How to filter by a value that this column shows.'),
  needs: z
    .literal('goalId')
    .optional()
    .describe('The argument without which the column is not there; absent: it is always there.'),
});

export const typesRoute: Route<QueryPorts> = defineRoute<QueryPorts, undefined, z.output<typeof queryString>>(
  {
    operationId: 'listQueryTypes',
    method: 'GET',
    path: '/v1/query/types',
    rule: 'public',
    summary: 'List the datasets',
    description: 'Names of all datasets, the filters they allow, presets, and the views of custom SQL.',
    tags: ['query'],
    query: queryString,
    success: {
      status: 200,
      schema: z.object({
        success: z.literal(true),
        types: z.array(z.string()),
        configs: z.record(
          z.string(),
          z.object({
            allowedFilters: z.array(z.string()),
            defaultLimit: z.number(),
            arguments: z
              .array(
                z.object({
                  name: z.string(),
                  required: z.boolean(),
                  description: z.string(),
                  schema: z.record(z.string(), z.unknown()).describe('JSON schema of the value.'),
                }),
              )
              .optional()
              .describe('What a parameter `{name, …}` of this dataset says besides; absent: nothing.'),
            meta: z.object({ description: z.string(), output_fields: z.array(outputFieldSchema) }).optional(),
          }),
        ),
        presets: z.array(z.string()),
        views: z.record(z.string(), z.array(fieldSchema.extend({ description: z.string() }))),
      }),
      example: {
        success: true,
        types: ['pages'],
        configs: { pages: { allowedFilters: ['path'], defaultLimit: 100 } },
        presets: ['today'],
        views: { events: [{ name: 'path', type: 'string', description: 'Path of the page.' }] },
      },
    },
    errors: ['VALIDATION_ERROR'],
    async handler({ query }) {
      return { body: answerOf(query.include_meta === 'true') };
    },
  },
);

/** Both answers, each made when it is first asked for: the catalogue does not change, and its schemas take milliseconds. */
const answers = new Map<boolean, object>();

function answerOf(hasMeta: boolean): object {
  const known = answers.get(hasMeta) ?? bodyOf(hasMeta);
  answers.set(hasMeta, known);
  return known;
}

function bodyOf(hasMeta: boolean): object {
  const configs = [...DATASETS_BY_NAME].map(([name, dataset]) => [name, configOf(dataset, hasMeta)]);
  return {
    success: true,
    types: [...DATASETS_BY_NAME.keys()],
    configs: Object.fromEntries(configs),
    presets: PRESETS,
    views: VIEWS,
  };
}

function configOf(dataset: Dataset, hasMeta: boolean) {
  const { kind, defaultLimit, columns } = dataset;
  const declared = argumentsOf(dataset);
  const config = {
    allowedFilters: filterFieldsOf(dataset),
    defaultLimit,
    ...(declared.length > 0 && { arguments: declared }),
  };
  if (!hasMeta) return config;
  const fields: { name: string; type: string; filter?: ColumnFilter; needs?: 'goalId' }[] = columns.map(
    (column) => {
      const filter = columnFilter(column, dataset);
      return {
        name: column.name,
        type: column.type,
        ...(filter && { filter }),
        ...(column.ofGoal && { needs: 'goalId' as const }),
      };
    },
  );
  if (kind === 'series') fields.push({ name: 'timestamp', type: 'time' });
  return { ...config, meta: { description: describe(dataset), output_fields: fields } };
}

function argumentsOf({ arguments: schema }: Dataset) {
  return Object.entries(schema?.shape ?? {}).map(([name, value]) => {
    const { $schema: _dialect, description = '', ...shown } = z.toJSONSchema(value, { io: 'input' });
    return { name, required: !value.safeParse(undefined).success, description, schema: shown };
  });
}

/** What the dataset and its columns mean: fields themselves carry no description. */
function describe({ kind, description, columns }: Dataset): string {
  const texts = columns.map((column) => `${column.name}: ${column.description}`);
  if (kind === 'series') texts.push('timestamp: Start of the minute or hour (UTC); only in rows of those.');
  return [description, ...texts].join('\n');
}
