/** What an operator's command and the process that reads events say to each other about a batch of an export. */
import { z } from 'zod';

export const exportBatchSchema = z.strictObject({
  organizationId: z.string(),
  /** Null: every website of the organization, and its events without one. */
  websiteId: z.string().nullable(),
  /** Days, the last one inclusive, or date-times; without offset in UTC. */
  from: z.string(),
  to: z.string(),
  /** Null: from the beginning. */
  cursor: z.string().nullable(),
});
/** What is asked for. */
export type ExportBatch = z.output<typeof exportBatchSchema>;

export const exportedBatchSchema = z.object({
  events: z.number(),
  /** A line of JSON for each event, as in the answers of GET /v1/export. */
  lines: z.string(),
  /** Null: these were all. */
  nextCursor: z.string().nullable(),
});
export type ExportedBatch = z.output<typeof exportedBatchSchema>;
