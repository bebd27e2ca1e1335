/** POST /v1/query: computes datasets, for one request object or a batch. */
import { z } from 'zod';
import type { QueryParameters } from '../../shared/http/query-string.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import { answerCall } from '../answer-call.ts';
import { DATASETS } from '../datasets/index.ts';
import { datasetFile, MAX_FILE_ROWS } from '../files/dataset-file.ts';
import type { QueryPorts } from '../query-ports.ts';
import { MAX_BYTES_PER_CALL, MAX_ROWS_PER_CALL } from '../stages/answer-budget.ts';
import { shownBody } from '../stages/request-schema.ts';
import { streamCall } from '../stream-call.ts';
import { MAX_DAYS } from '../time/buckets.ts';
import { answerSchema } from './answer-schema.ts';
import { shownQueryString, shownSchema } from './shown-schemas.ts';

const MAX_BODY_BYTES = 2 * 1024 * 1024;

const envelope = { success: z.literal(true), requestId: z.string() };

/** Tells clients that do not inspect datasets how many of the whole call failed. */
const FAILED_HEADER = 'X-Query-Failed';

const JSON_TYPE = 'application/json';
const LINES_TYPE = 'application/x-ndjson';
const CSV_TYPE = 'text/csv';
const PARQUET_TYPE = 'application/vnd.apache.parquet';

/** Tells that a list has more rows than the file. */
const TRUNCATED_HEADER = 'X-Truncated';

/** A line of Markdown for each dataset. */
const DATASET_LIST = DATASETS.map(
  ({ names, kind, description }) =>
    `- ${names.map((name) => `\`${name}\``).join(', ')} (${kind}): ${description}`,
).join('\n');

export const queryRoute: Route<QueryPorts> = defineRoute<QueryPorts, unknown, QueryParameters>({
  operationId: 'query',
  method: 'POST',
  path: '/v1/query',
  rule: { scopes: ['read:data'], decidedBy: 'handler' },
  summary: 'Query analytics data',
  description:
    'Computes one or more datasets over a range of time; GET /v1/query/types lists them. An array of request objects is a batch. A dataset that cannot be answered, because of a wrong filter field, a wrong sort column or too long a range, fails alone and comes last; `meta.failed` counts those of a request object, the header X-Query-Failed those of the call. ' +
    'Name selectors and timezone in the query string or in the request object, in either spelling. Two different values are refused, and so is any unknown name. ' +
    `The answers of one call hold at most ${MAX_ROWS_PER_CALL.toLocaleString('en')} rows and ${MAX_BYTES_PER_CALL / 1024 / 1024} MB; a dataset that would exceed this fails alone. ` +
    `Series cover at most 24 hours in minutes, ${MAX_DAYS.hourly} days in hours, or ${MAX_DAYS.daily.toLocaleString('en')} days in wider buckets. Identical datasets of a call are computed once. ` +
    'With `compare` every row has `previous`: the measures of the same row in the other period, or null if that has no such row. ' +
    'With `Accept: application/x-ndjson` each dataset is a line, sent as soon as it is ready; with `Accept: text/csv` or `application/vnd.apache.parquet` the only dataset is a file. ' +
    `Under link_id only the datasets of short links run.\n\nDatasets:\n${DATASET_LIST}`,
  tags: ['query'],
  query: shownQueryString,
  body: {
    schema: shownSchema(shownBody),
    maxBytes: MAX_BODY_BYTES,
    example: { parameters: ['summary', 'pages'], startDate: '2025-01-01', endDate: '2025-01-31' },
  },
  success: {
    status: 200,
    optionalHeaders: {
      [FAILED_HEADER]: 'Datasets of the call that failed; absent from an answer in lines and from a file.',
      [TRUNCATED_HEADER]: 'true on a file whose list has more rows.',
      'Content-Disposition': 'On a file, with a name for it.',
    },
    alsoAs: {
      [LINES_TYPE]:
        'A line of JSON for each dataset, failed ones too, in request order: `{queryId?, request, dataset, parameter, success, data, error?, cursor?}`, where `request` and `dataset` are the positions of the request object and of the parameter, from 0. The last line is `{meta}`, for a batch a list with an element for each request object. A fault of the whole call after the first line ends the lines with an error body in place of it.',
      [CSV_TYPE]: `One dataset as CSV (RFC 4180) in UTF-8 with a header row; more than one is an error, and so is one that fails. Without limit the whole list, at most ${MAX_FILE_ROWS.toLocaleString('en')} rows. A text that a spreadsheet would compute begins with an apostrophe.`,
      [PARQUET_TYPE]:
        'The same dataset and rows as Parquet (zstd): counts are BIGINT, other numbers DOUBLE, instants TIMESTAMP in UTC, objects JSON as text.',
    },
    schema: z.union([
      answerSchema.extend(envelope),
      z.object({ ...envelope, batch: z.literal(true), results: z.array(answerSchema) }),
    ]),
    example: {
      success: true,
      requestId: 'r-1',
      data: [{ parameter: 'pages', success: true, data: [{ path: '/', pageviews: 3, visitors: 2 }] }],
      meta: {
        parameters: ['pages'],
        total_parameters: 1,
        page: 1,
        limit: 100,
        filters_applied: 0,
        failed: 0,
      },
    },
  },
  errors: [
    'VALIDATION_ERROR',
    'INVALID_QUERY_TYPE',
    'INVALID_DATE_RANGE',
    'MISSING_PROJECT_ID',
    'ACCESS_DENIED',
    'PAYLOAD_TOO_LARGE',
    'SERVICE_UNAVAILABLE',
  ],
  async handler({ body, query, caller, requestId, signal, accepts }, ports) {
    const call = { body, query, caller, signal };
    const type = accepts([JSON_TYPE, LINES_TYPE, CSV_TYPE, PARQUET_TYPE]);
    if (type === LINES_TYPE) {
      const pieces = jsonLines(streamCall(call, ports));
      return { stream: { mediaType: LINES_TYPE, pieces, faultPiece: jsonLine } };
    }
    if (type === CSV_TYPE || type === PARQUET_TYPE) {
      const { name, isTruncated, csv, parquet } = await datasetFile(call, ports);
      const isCsv = type === CSV_TYPE;
      return {
        headers: {
          'Content-Disposition': `attachment; filename="${name}.${isCsv ? 'csv' : 'parquet'}"`,
          ...(isTruncated ? { [TRUNCATED_HEADER]: 'true' } : {}),
        },
        stream: isCsv
          ? { mediaType: `${CSV_TYPE}; charset=utf-8`, pieces: csv() }
          : { mediaType: PARQUET_TYPE, pieces: await parquet() },
      };
    }
    const { isBatch, answers } = await answerCall(call, ports);
    const failed = answers.reduce((sum, { meta }) => sum + meta.failed, 0);
    const headers = { [FAILED_HEADER]: String(failed) };
    if (isBatch) return { headers, body: { success: true, requestId, batch: true, results: answers } };
    return { headers, body: { success: true, requestId, ...answers[0] } };
  },
});

async function* jsonLines(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of values) yield jsonLine(value);
}

function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
