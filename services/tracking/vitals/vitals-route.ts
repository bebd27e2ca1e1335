/** POST /vitals: measured web vitals, each an event web_vitals with one metric. */
import { countedAnswer, countedBody, defineIngestRoute } from '../ingest/define-ingest-route.ts';
import { ingestEvents } from '../ingest/ingest.ts';
import { readBy } from '../record/validate-events.ts';
import { namedEventSchema } from '../record/wire-event.ts';

const TYPE = 'web_vitals';
const vitalSchema = namedEventSchema(TYPE);

export const vitalsRoute = defineIngestRoute({
  operationId: 'sendVitals',
  path: '/vitals',
  senders: 'keyless',
  summary: 'Send web vitals',
  description: 'Stores one metric or an array of 1..100, each with metricName and metricValue.',
  element: vitalSchema,
  reader: readBy(vitalSchema),
  example: [{ metricName: 'LCP', metricValue: 1800, path: '/welcome' }],
  success: countedAnswer(TYPE),
  async take(request, parts) {
    const events = await ingestEvents(request, parts);
    return countedBody(TYPE, events.length);
  },
});
