/** GET /v1/export: the raw events of a website or of the organization, as lines of JSON or Parquet, that a cursor continues. */
import { z } from 'zod';
import { requireGlobalAccess } from '../../shared/access/global-access.ts';
import { validationError } from '../../shared/errors/zod-details.ts';
import type { QueryParameters } from '../../shared/http/query-string.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import type { QueryPorts } from '../query-ports.ts';
import { shownSchema } from '../routes/shown-schemas.ts';
import { resolveReaches } from '../stages/resolve.ts';
import { readCursor, writeCursor } from './export-cursor.ts';
import { cursorScope, type ExportSelection, exportEvents } from './export-events.ts';
import { MAX_FILE_JSON, parquetExport } from './parquet-export.ts';
import { exportSchema, MAX_EXPORTED, parseExport } from './parse-export.ts';

const MEDIA_TYPE = 'application/x-ndjson';
const PARQUET_TYPE = 'application/vnd.apache.parquet';

/** Where a file goes on; lines of JSON say so in their last one. */
const NEXT_HEADER = 'X-Next-Cursor';

export const exportRoute: Route<QueryPorts> = defineRoute<QueryPorts, undefined, QueryParameters>({
  operationId: 'exportEvents',
  method: 'GET',
  path: '/v1/export',
  rule: { scopes: ['read:data'] },
  summary: 'Export raw events',
  description:
    'Every event of the range, those of crawlers too, as a line of JSON with the columns that have a value, by time; needs global access. ' +
    `The last line is \`{nextCursor}\`: null when the range is exhausted, else where the next call goes on. An answer has at most ${MAX_EXPORTED.toLocaleString('en')} events. ` +
    'With the same range the cursors lead to every event that was stored before the first call exactly once; one that arrives meanwhile is among them unless its place was passed. ' +
    'A fault after the first line ends the lines with an error body in place of `{nextCursor}`. ' +
    `With format=parquet the events are a file, and the header ${NEXT_HEADER} says where the next call goes on. A file that breaks off ends its connection with an error.`,
  tags: ['query'],
  query: shownSchema<QueryParameters>(exportSchema),
  success: {
    status: 200,
    mediaType: MEDIA_TYPE,
    alsoAs: {
      [PARQUET_TYPE]: `With format=parquet: every column of the events, the instant as TIMESTAMP in UTC, properties as JSON text. At most ${MAX_FILE_JSON / 1024 / 1024} MB of what the lines of JSON would be, which may be fewer events than limit.`,
    },
    optionalHeaders: {
      [NEXT_HEADER]: 'On a Parquet file: cursor of the next call; absent when the range is exhausted.',
      'Content-Disposition': 'On a Parquet file, with a name for it.',
    },
    schema: z.string().describe('Lines of JSON.'),
    example: '{"organization_id":"org_01","timestamp":"2025-01-15T10:00:00.000Z"}\n{"nextCursor":null}\n',
  },
  errors: ['VALIDATION_ERROR', 'INVALID_DATE_RANGE', 'ACCESS_DENIED', 'SERVICE_UNAVAILABLE'],
  async handler({ method, query, caller, signal }, ports) {
    const organizationId = requireGlobalAccess(caller);
    const { websiteId, range, limit, format, cursor } = parseExport(query);
    const of = cursorScope(organizationId, websiteId ?? null, range);
    const after = cursor === undefined ? null : readCursor(cursor, of);
    if (cursor !== undefined && after === null)
      throw validationError([
        {
          field: 'cursor',
          message: 'No cursor of this website and range, or one that an earlier version gave.',
        },
      ]);
    const [reach] = await resolveReaches([{ selectors: { websiteId } }], caller, ports);
    if (reach === undefined) throw new Error('An export reads something.');
    const isFile = format === 'parquet';
    if (method === 'HEAD') return { headers: { 'Content-Type': isFile ? PARQUET_TYPE : MEDIA_TYPE } };
    if (isFile) {
      const { pieces, next } = await parquetExport({ reach, range, after, limit }, ports, signal);
      const days = [range.from, range.to - 1].map((at) => new Date(at).toISOString().slice(0, 10)).join('_');
      const headers: Record<string, string> = {
        'Content-Disposition': `attachment; filename="events_${days}.parquet"`,
      };
      if (next !== null) headers[NEXT_HEADER] = writeCursor(next, of);
      return { headers, stream: { mediaType: PARQUET_TYPE, pieces } };
    }
    const pieces = linesOf({ reach, range, after, limit }, of, ports, signal);
    return {
      stream: { mediaType: MEDIA_TYPE, pieces, faultPiece: (fault) => `${JSON.stringify(fault)}\n` },
    };
  },
});

async function* linesOf(
  selection: ExportSelection,
  of: unknown,
  { events }: QueryPorts,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let nextCursor: string | null = null;
  for await (const { lines, next } of exportEvents(selection, events, signal)) {
    nextCursor = next && writeCursor(next, of);
    if (lines !== '') yield lines;
  }
  yield `${JSON.stringify({ nextCursor })}\n`;
}
