/** POST /v1/query/compile: shows the query that would run, without running it. */
import { z } from 'zod';
import type { QueryParameters } from '../../shared/http/query-string.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import { COMPILE_ALIASES, type CompiledDataset, compileCall } from '../compile-call.ts';
import type { QueryPorts } from '../query-ports.ts';
import { requestSchema, shownParameters } from '../stages/request-schema.ts';
import { shownQueryString, shownSchema } from './shown-schemas.ts';

const MAX_BODY_BYTES = 2 * 1024 * 1024;

const shape = requestSchema.shape;

const bodySchema = requestSchema.extend({
  parameters: shownParameters.optional(),
  type: shownParameters.element.optional().describe('One parameter; stands for parameters.'),
  from: shape.startDate.describe('Stands for startDate.'),
  to: shape.endDate.describe('Stands for endDate.'),
  projectId: shape.websiteId.describe('Stands for website_id.'),
  timeUnit: shape.granularity.describe('Stands for granularity.'),
});

const valueSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.string()),
  z.array(z.number()),
]);

const oneSqlSchema = z.object({
  engine: z.literal('duckdb'),
  sql: z.string().describe('One SELECT; every value in it is a parameter, as $name.'),
  params: z.record(z.string(), valueSchema).describe('Values by name. Lists are bound as lists.'),
});

const querySchema = oneSqlSchema.extend({
  compare: oneSqlSchema
    .optional()
    .describe(
      'With compare: what would run for the other period. A list looks up the keys of its rows there, a parameter that is [] until it ran.',
    ),
});

const parameter = z.string().describe('Name of the dataset, or the id that the request gave it.');
const envelope = { success: z.literal(true), requestId: z.string() };

const answerSchema = z.union([
  querySchema.extend(envelope),
  z.object({
    ...envelope,
    engine: z.literal('duckdb'),
    queries: z
      .array(querySchema.extend({ parameter }))
      .describe('In place of sql and params, when the request names several parameters, in their order.'),
  }),
]);

export const compileRoute: Route<QueryPorts> = defineRoute<QueryPorts, unknown, QueryParameters>({
  operationId: 'compileQuery',
  method: 'POST',
  path: '/v1/query/compile',
  rule: { scopes: ['read:data'], decidedBy: 'handler' },
  summary: 'Show what a query would run',
  description:
    'Takes one request object of POST /v1/query and answers the query that would run for it, bound to what the caller reaches, without running it. ' +
    `Aliases: ${Object.entries(COMPILE_ALIASES)
      .map(([alias, field]) => `${alias} for ${field === 'parameters' ? 'one parameter' : field}`)
      .join(', ')}. ` +
    'A request with one parameter is answered by engine, sql and params; one with several by engine and queries, one for each in order. When one of them cannot be built, none is shown.',
  tags: ['query'],
  query: shownQueryString,
  body: {
    schema: shownSchema(bodySchema),
    maxBytes: MAX_BODY_BYTES,
    example: { type: 'pages', from: '2025-01-01', to: '2025-01-31' },
  },
  success: {
    status: 200,
    schema: answerSchema,
    example: {
      success: true,
      requestId: 'r-1',
      engine: 'duckdb',
      sql: 'SELECT count(*) AS pageviews FROM events WHERE "website_id" = $p1',
      params: { p1: 'web_1' },
    },
  },
  errors: [
    'VALIDATION_ERROR',
    'COMPILATION_ERROR',
    'INVALID_QUERY_TYPE',
    'INVALID_DATE_RANGE',
    'MISSING_PROJECT_ID',
    'ACCESS_DENIED',
    'PAYLOAD_TOO_LARGE',
    'SERVICE_UNAVAILABLE',
  ],
  async handler({ body, query, caller, requestId, signal }, ports) {
    const compiled = await compileCall({ body, query, caller, signal }, ports);
    return { body: { success: true, requestId, ...answerOf(compiled) } };
  },
});

function answerOf(compiled: readonly CompiledDataset[]): object {
  const [only, ...others] = compiled;
  if (!only || others.length > 0) return { engine: 'duckdb', queries: compiled };
  const { parameter: _named, ...query } = only;
  return query;
}
