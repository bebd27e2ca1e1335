/** POST /v1/query/custom: one SELECT over the views of one website, as SQL or in the structured form. */
import { z } from 'zod';
import { toApiError, withHeaders } from '../../shared/errors/api-error.ts';
import type { QueryParameters } from '../../shared/http/query-string.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import { RUNNING_TIME_HEADER } from '../../shared/http/running-time-header.ts';
import type { QueryPorts } from '../query-ports.ts';
import { shownQueryString } from '../routes/shown-schemas.ts';
import { VIEWS } from '../views.ts';
import { answerCustomQuery } from './answer-custom-query.ts';
import { MAX_ANSWER_BYTES } from './custom-sql.ts';
import { MAX_SQL_BYTES } from './guarded-query.ts';
import { customBodySchema } from './request-schema.ts';
import { RunningTime } from './running-time.ts';

const MAX_BODY_BYTES = 256 * 1024;

/** What the gateway charges, whatever the outcome of the query. */
function headersOf(time: RunningTime): Readonly<Record<string, string>> {
  return { [RUNNING_TIME_HEADER]: `${time.ms}` };
}

export const customQueryRoute: Route<QueryPorts> = defineRoute<QueryPorts, unknown, QueryParameters>({
  operationId: 'queryCustom',
  method: 'POST',
  path: '/v1/query/custom',
  rule: { scopes: ['read:data'], decidedBy: 'handler' },
  summary: 'Run a custom query',
  description:
    `Runs one read-only SELECT in the SQL of DuckDB over the views ${Object.keys(VIEWS).join(', ')}, which hold the events of the website in the range; without dates, all of them. ` +
    `Values go into params, and the text refers to them as $name; it has at most ${MAX_SQL_BYTES} bytes. Instead of sql, query takes the structured form. ` +
    'Name the website, and the timezone of the dates, in the query string or in the body, in either spelling. Two different values are refused, and so is any unknown name. ' +
    `A query that is not allowed, or needs too much memory or too many events, is QUERY_ERROR. One that takes too long is TIMEOUT; so is one of the organization that used the most time lately, when another organization has waited for long. Too many queries of one organization are 503 with Retry-After. ` +
    `The seconds that queries run, without waiting, count in a limit of the organization; when it is used up, the answer is 429. ` +
    `An answer holds at most 10,000 rows and ${MAX_ANSWER_BYTES / 1024 / 1024} MB; meta.truncated says that there were more. Integers beyond 2^53 and decimals are texts, times ISO 8601.`,
  tags: ['query'],
  query: shownQueryString,
  body: {
    schema: customBodySchema,
    maxBytes: MAX_BODY_BYTES,
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
  // Its errors also carry the running time, like all answers of a custom query.
  parse: (asked) => asked,
  async handler({ body, query, caller, signal, beginsWork }, ports) {
    const time = new RunningTime(beginsWork);
    const call = { body, query, caller, signal, time };
    const { result, executionTimeMs } = await answerCustomQuery(call, ports).catch((fault: unknown) => {
      throw withHeaders(toApiError(fault), headersOf(time));
    });
    const { columns, rows, truncated } = result;
    const meta = { columns, rowCount: rows.length, truncated, executionTimeMs };
    return { headers: headersOf(time), body: { success: true, data: rows, meta } };
  },
});
