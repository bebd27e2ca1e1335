/** POST /: one event of an older client, which names its website as client_id. */
import { z } from 'zod';
import { defineIngestRoute } from '../ingest/define-ingest-route.ts';
import { ingestEvents } from '../ingest/ingest.ts';
import type { WireEvent } from '../record/wire-event.ts';
import { typedEventReader, typedEventSchema, typedResult, typedResultSchema } from './read-typed-event.ts';

export const legacyRoute = defineIngestRoute<WireEvent>({
  operationId: 'sendTypedEvent',
  path: '/',
  senders: 'keyless',
  summary: 'Send one event of an older client',
  description: 'Stores one event whose type says what kind it is; several go to /batch.',
  element: typedEventSchema,
  reader: { ...typedEventReader, takes: 'one' },
  example: { type: 'custom', name: 'signup', eventId: 'event-1', properties: { plan: 'pro' } },
  success: {
    schema: typedResultSchema.extend({ success: z.literal(true) }),
    example: { status: 'success', success: true, type: 'custom', eventId: 'event-1' },
  },
  async take(request, parts) {
    const events = await ingestEvents(request, parts);
    return { success: true, ...events.map((event) => typedResult(request.body, event))[0] };
  },
});
