/** POST /errors: script errors of a page, each stored as an event `error`. */
import { countedAnswer, countedBody, defineIngestRoute } from '../ingest/define-ingest-route.ts';
import { ingestEvents } from '../ingest/ingest.ts';
import { readBy } from '../record/validate-events.ts';
import { namedEventSchema } from '../record/wire-event.ts';

const TYPE = 'error';
const errorSchema = namedEventSchema(TYPE);

export const errorsRoute = defineIngestRoute({
  operationId: 'sendErrors',
  path: '/errors',
  senders: 'keyless',
  summary: 'Send script errors',
  description: 'Stores one error or an array of 1..100, each with a message.',
  element: errorSchema,
  reader: readBy(errorSchema),
  example: [{ message: 'x is not a function', errorType: 'TypeError', filename: '/app.js', lineno: 7 }],
  success: countedAnswer(TYPE),
  async take(request, parts) {
    const events = await ingestEvents(request, parts);
    return countedBody(TYPE, events.length);
  },
});
