/** POST /events: custom events of browsers, which may send the name as eventName; a website that allows it needs no key. */
import { countedAnswer, countedBody, defineIngestRoute } from '../ingest/define-ingest-route.ts';
import { ingestEvents } from '../ingest/ingest.ts';
import { readBy } from '../record/validate-events.ts';
import { wireEventSchema } from '../record/wire-event.ts';

const TYPE = 'custom_event';

export const eventsRoute = defineIngestRoute({
  operationId: 'sendEvents',
  path: '/events',
  senders: 'keyless',
  summary: 'Send events from a page',
  description: 'As /track, one event or an array of 1..100; eventName is taken for name.',
  element: wireEventSchema.partial({ name: true }).extend({
    eventName: wireEventSchema.shape.name.optional().describe('The same as name, where there is none.'),
  }),
  reader: readBy(wireEventSchema, { name: 'eventName' }),
  example: [{ eventName: 'signup', path: '/welcome', anonymousId: 'visitor-1' }],
  success: countedAnswer(TYPE),
  async take(request, parts) {
    const events = await ingestEvents(request, parts);
    return countedBody(TYPE, events.length);
  },
});
