/** POST /track: custom events, one or many, answered once they are durable (contract.md section 6). */
import { countedAnswer, countedBody, defineIngestRoute } from '../ingest/define-ingest-route.ts';
import { ingestEvents } from '../ingest/ingest.ts';
import { readBy } from '../record/validate-events.ts';
import { wireEventSchema } from '../record/wire-event.ts';

const TYPE = 'custom_event';

export const trackRoute = defineIngestRoute({
  operationId: 'trackEvents',
  path: '/track',
  senders: 'keyed',
  summary: 'Send custom events',
  description:
    'Stores one event or an array of 1..100. The answer comes when the events are durable; when one is faulty, none is stored. ' +
    "The website of an event is its websiteId, else website_id in the query string or the header databuddy-client-id, else the key's only website; " +
    'without any of them an event of a key with global access belongs to the organization.',
  element: wireEventSchema,
  reader: readBy(wireEventSchema),
  example: { name: 'signup', anonymousId: 'visitor-1', properties: { plan: 'pro' } },
  success: countedAnswer(TYPE),
  async take(request, parts) {
    const events = await ingestEvents(request, parts);
    return countedBody(TYPE, events.length);
  },
});
