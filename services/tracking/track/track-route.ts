/** POST /track: custom events, one or many, answered once they are durable (contract.md section 6). */
import { z } from 'zod';
import { defineRoute } from '../../shared/http/route.ts';
import type { TrackingParts } from '../ports.ts';
import { makeRecord } from '../record/make-record.ts';
import { putWebsites } from '../record/put-websites.ts';
import { LARGEST_LIST, validateEvents } from '../record/validate-events.ts';
import { CLIENT_ID_HEADER, websiteSelectorSchema } from '../record/website-selector.ts';
import { wireEventSchema } from '../record/wire-event.ts';
import { writeEvents } from '../record/write-events.ts';

const LARGEST_BODY_BYTES = 2 * 1024 * 1024;

/**
 * Shown in the documentation and not used for parsing: whether a timestamp lies in the future is known by the clock
 * only, and all faults of a request are told at once.
 */
const documentedBody = z.toJSONSchema(
  z.union([wireEventSchema, z.array(wireEventSchema).min(1).max(LARGEST_LIST)]),
  { io: 'input' },
);

export const trackRoute = defineRoute<TrackingParts, unknown, z.infer<typeof websiteSelectorSchema>>({
  operationId: 'trackEvents',
  method: 'POST',
  path: '/track',
  rule: { scopes: ['track:events'] },
  summary: 'Send custom events',
  description:
    'Stores one event or an array of 1..100. The answer comes when the events are durable; when one is faulty, none is stored. ' +
    "The website of an event is its websiteId, else website_id in the query string, else the key's only website; " +
    'without any of them an event of a key with global access belongs to the organization.',
  tags: ['tracking'],
  query: websiteSelectorSchema,
  body: {
    schema: z.unknown().meta(documentedBody),
    maxBytes: LARGEST_BODY_BYTES,
    example: { name: 'signup', anonymousId: 'visitor-1', properties: { plan: 'pro' } },
    alsoAccepts: ['text/plain'],
    arrayName: 'events',
  },
  success: {
    status: 200,
    schema: z.object({
      status: z.literal('success'),
      success: z.literal(true),
      type: z.literal('custom_event'),
      count: z.number().int().describe('Events of the request that are stored.'),
    }),
    example: { status: 'success', success: true, type: 'custom_event', count: 1 },
  },
  errors: [
    'VALIDATION_ERROR',
    'ACCESS_DENIED',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'SERVICE_UNAVAILABLE',
  ],
  errorFields: { status: 'error' },
  async handler({ caller, body, query, headers }, parts) {
    const { events: store, documents, clock, visitorSecret } = parts;
    const now = clock.now();
    const events = validateEvents(body, wireEventSchema, { now, arrayName: 'events' });
    const targeted = await putWebsites(documents, caller, events, {
      query,
      header: headers[CLIENT_ID_HEADER],
      isList: Array.isArray(body),
      arrayName: 'events',
    });
    const client = parts.readClient({ headers, isKeyless: caller.kind === 'public' });
    const context = { now, visitorSecret, client };
    const records = targeted.map(({ event, target }) => makeRecord(event, target, context));
    await writeEvents(store, records);
    return { body: { status: 'success', success: true, type: 'custom_event', count: records.length } };
  },
});
