/** POST /batch: events of an older client, answered one by one; they are stored together or not at all. */
import { z } from 'zod';
import { defineIngestRoute } from '../ingest/define-ingest-route.ts';
import { ingestEvents } from '../ingest/ingest.ts';
import {
  typedEventReader,
  typedEventSchema,
  typedResult,
  typedResultSchema,
} from '../legacy/read-typed-event.ts';

export const batchRoute = defineIngestRoute({
  operationId: 'sendTypedEvents',
  path: '/batch',
  senders: 'keyless',
  summary: 'Send events of an older client',
  description: 'Stores an array of 1..100 events, each with the type that says what kind it is.',
  element: typedEventSchema,
  reader: typedEventReader,
  example: [{ type: 'custom', name: 'signup', eventId: 'event-1' }],
  success: {
    schema: z.object({
      status: z.literal('success'),
      success: z.literal(true),
      batch: z.literal(true),
      processed: z.number().int(),
      results: z.array(typedResultSchema).describe('One for each event, in their order.'),
    }),
    example: {
      status: 'success',
      success: true,
      batch: true,
      processed: 1,
      results: [{ status: 'success', type: 'custom', eventId: 'event-1' }],
    },
  },
  async take(request, parts) {
    const events = await ingestEvents(request, parts);
    const elements: readonly unknown[] = Array.isArray(request.body) ? request.body : [request.body];
    const results = events.map((event, i) => typedResult(elements[i], event));
    return { status: 'success', success: true, batch: true, processed: results.length, results };
  },
});
