/** A saved view: what a page shows of a website, by range and filters; own to a user, or shared with the organization. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

/** What it shows: the parts of a query, as the client wrote them, and what a page keeps besides. */
export const viewStateSchema = z.strictObject({
  preset: z.string().optional().describe('A named range, as in POST /v1/query.'),
  startDate: z.string().optional().describe('In place of a preset, the first day, or an instant.'),
  endDate: z.string().optional().describe('The last day, or an instant.'),
  timezone: z.string().optional().describe('IANA time zone of days and buckets; default UTC.'),
  granularity: z.string().optional().describe('Width of the buckets of series.'),
  filters: z.array(z.json()).optional().describe('Filters and groups of them, as in POST /v1/query.'),
  compare: z
    .union([z.string(), z.strictObject({ startDate: z.string(), endDate: z.string() })])
    .optional()
    .describe('The other period, as in POST /v1/query.'),
  align: z.string().optional().describe('How the other period is laid beside the range.'),
  display: z
    .record(z.string(), z.json())
    .optional()
    .describe('What a page keeps besides, such as tabs and orders; no query reads it.'),
});
export type ViewState = z.infer<typeof viewStateSchema>;

export const savedViewSchema = storedSchema.extend({
  websiteId: z.string(),
  name: z.string(),
  state: viewStateSchema,
  /** The user whose own it is; the organization when it is shared. */
  ownerId: z.string(),
  createdBy: z.string(),
});
export type SavedView = z.infer<typeof savedViewSchema>;
