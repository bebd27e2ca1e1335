/** What a website received without a key on one day (UTC): stored, so that keyless budgets outlast a restart. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

export const keylessUsageSchema = storedSchema.extend({
  websiteId: z.string(),
  /** The day of the numbers, such as `2026-01-31`; the next day they start at 0. */
  day: z.string(),
  /** Bytes of bodies, inflated, and of query strings. */
  bytes: z.number().int(),
  /** People and visitors not known before. */
  profiles: z.number().int(),
});
export type KeylessUsage = z.infer<typeof keylessUsageSchema>;

/** The identifier of a website's document; one document serves all days. */
export function keylessUsageId(websiteId: string): string {
  return `kls_${websiteId}`;
}
