/** What its readers are told of a share before they ask for numbers: what they may ask, in which range and zone. */
import { z } from 'zod';

export const shownShareSchema = z.object({
  name: z.string(),
  datasets: z.array(z.string()).describe('What may be asked for, by main names.'),
  timezone: z.string().describe('IANA time zone of days and buckets.'),
  preset: z.string().nullable().describe('The named range of the view; null: it has dates.'),
  from: z.iso.datetime().nullable().describe('Where the range begins; null: with the first event.'),
  to: z.iso.datetime().describe('Where the range ends, which is no part of it.'),
  granularity: z.string().nullable().describe('Width of the buckets that the view names.'),
  hasParts: z.boolean().describe('Whether parts of the range may be asked for, or the whole alone.'),
});
export type ShownShare = z.infer<typeof shownShareSchema>;
