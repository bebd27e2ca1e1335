/** POST /v1/query/custom: one SELECT over the views of one website, as SQL or in the structured form. */
import { z } from 'zod';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import type { QueryPorts } from '../query-ports.ts';
import { type QueryString, queryStringSchema } from '../stages/request-schema.ts';
import { VIEWS } from '../views.ts';
import { answerCustomQuery } from './answer-custom-query.ts';
import { MAX_ANSWER_BYTES } from './custom-sql.ts';
import { MAX_SQL_BYTES } from './guarded-query.ts';
import { customBodySchema } from './request-schema.ts';

const MAX_BODY_BYTES = 256 * 1024;

export const customQueryRoute: Route<QueryPorts> = defineRoute<QueryPorts, unknown, QueryString>({
  operationId: 'queryCustom',
  method: 'POST',
  path: '/v1/query/custom',
  rule: { scopes: ['read:data'] },
  summary: 'Run a custom query',
  description:
    `Runs one read-only SELECT in the SQL of DuckDB over the views ${Object.keys(VIEWS).join(', ')}, which hold the events of the website in the range; without dates, all of them. ` +
    `Values go into params and stand as $name in the text, which has at most ${MAX_SQL_BYTES} bytes. In place of sql, query takes the structured form. ` +
    `A query that is not allowed, or needs more memory or events than it may, is QUERY_ERROR; one that takes too long is TIMEOUT; too many of one organization are 503 with Retry-After. ` +
    `An answer holds at most 10,000 rows and ${MAX_ANSWER_BYTES / 1024 / 1024} MB; meta.truncated tells that there were more. Integers beyond 2^53 and decimals are texts, times ISO 8601.`,
  tags: ['query'],
  query: queryStringSchema,
  body: {
    schema: customBodySchema as z.ZodType<unknown>,
    maxBytes: MAX_BODY_BYTES,
    judgedBy: 'handler',
    example: {
      sql: 'SELECT path, count(*) AS views FROM pageviews WHERE country = $country GROUP BY path ORDER BY views DESC',
      params: { country: 'DE' },
      startDate: '2025-01-01',
      endDate: '2025-01-31',
    },
  },
  success: {
    status: 200,
    schema: z.object({
      success: z.literal(true),
      data: z.array(z.record(z.string(), z.unknown())),
      meta: z.object({
        columns: z.array(
          z.object({ name: z.string(), type: z.string().describe('Type in DuckDB, such as BIGINT.') }),
        ),
        rowCount: z.number().describe('Rows in data.'),
        truncated: z.boolean().describe('Whether the query had more rows.'),
        executionTimeMs: z.number().describe('Milliseconds, waiting for a turn included.'),
      }),
    }),
    example: {
      success: true,
      data: [{ path: '/', views: 3 }],
      meta: {
        columns: [
          { name: 'path', type: 'VARCHAR' },
          { name: 'views', type: 'BIGINT' },
        ],
        rowCount: 1,
        truncated: false,
        executionTimeMs: 42,
      },
    },
  },
  errors: [
    'VALIDATION_ERROR',
    'INVALID_DATE_RANGE',
    'MISSING_WEBSITE_ID',
    'ACCESS_DENIED',
    'QUERY_ERROR',
    'SERVICE_UNAVAILABLE',
    'TIMEOUT',
  ],
  async handler({ body, query, caller, signal }, ports) {
    const { result, executionTimeMs } = await answerCustomQuery({ body, query, caller, signal }, ports);
    const { columns, rows, truncated } = result;
    const meta = { columns, rowCount: rows.length, truncated, executionTimeMs };
    return { body: { success: true, data: rows, meta } };
  },
});
