/** Instants in bodies and query strings of the resources. */
import { z } from 'zod';

/** Instants that ISO 8601 writes without a sign, as all stored ones are: the years 0 to 9999 in UTC. */
const EARLIEST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

const ALLOWED = 'an ISO 8601 instant up to the year 9999 in UTC, such as "2027-01-31T00:00:00Z"';

/** An instant in ISO 8601 with an offset; in UTC with milliseconds after parsing. The writer of a fault describes what is allowed. */
export const instantInputSchema = instantSchema();

/** The same where nothing else words its faults. */
export const wordedInstantSchema = instantSchema(`Allowed: ${ALLOWED}.`);

function instantSchema(error?: string) {
  return (
    z.iso
      .datetime({ offset: true, error })
      // An invalid instant is a fault already; its offset may move a valid one out of the years that its text names.
      .refine((text) => !(Date.parse(text) < EARLIEST_MS || Date.parse(text) > LATEST_MS), error)
      .transform((text) => new Date(text).toISOString())
      .describe(ALLOWED)
  );
}
