/** GET /px.gif: an event in the address of an image, for pages without scripts; the answer is one transparent pixel. */
import { z } from 'zod';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import { INGEST_ERROR_FIELDS, INGEST_ERRORS, INGEST_REQUEST_HEADERS } from '../ingest/define-ingest-route.ts';
import { ingestEvents, judgeEvents } from '../ingest/ingest.ts';
import type { TrackingParts } from '../ports.ts';
import { readBy } from '../record/validate-events.ts';
import { wireEventSchema } from '../record/wire-event.ts';
import { pixelQuerySchema, readQueryEvent } from './read-query-event.ts';

/** GIF89a, one pixel, transparent. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const HEADERS = {
  // Every display is an event: no cache may answer instead, and any page may show the image.
  'Cache-Control': 'private, no-store',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

export const pixelRoute: Route<TrackingParts> = defineRoute<
  TrackingParts,
  undefined,
  z.infer<typeof pixelQuerySchema>
>({
  operationId: 'sendPixelEvent',
  method: 'GET',
  path: '/px.gif',
  rule: { scopes: ['track:events'], keyless: true },
  summary: 'Send one event by a picture',
  description:
    'Stores the event of the query string, screen_view where it has no name; properties is JSON. HEAD stores nothing.',
  tags: ['tracking'],
  query: pixelQuerySchema,
  requestHeaders: INGEST_REQUEST_HEADERS,
  success: {
    status: 200,
    schema: z.string().meta({ format: 'binary' }),
    example: '',
    mediaType: 'image/gif',
    headers: {
      'Cache-Control': '`private, no-store`: every showing is an event.',
      'Cross-Origin-Resource-Policy': '`cross-origin`: any page may show it.',
    },
  },
  errors: INGEST_ERRORS,
  errorFields: INGEST_ERROR_FIELDS,
  async handler({ method, caller, query, headers, receivedBytes }, parts) {
    const body = readQueryEvent(query);
    const reader = readBy(wireEventSchema);
    const request = { caller, query, headers, body, receivedBytes, reader, fromPages: true };
    if (method === 'HEAD') await judgeEvents(request, parts);
    else await ingestEvents(request, parts);
    return { bytes: PIXEL, headers: HEADERS };
  },
});
