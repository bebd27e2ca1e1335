/** What an organization used in one calendar month (UTC). */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

export const organizationUsageSchema = storedSchema.extend({
  /** Such as `2026-01`. */
  month: z.string(),
  /** Requests that the rate limits counted. */
  requests: z.number().int(),
  /** Events that were stored. */
  events: z.number().int(),
});
export type OrganizationUsage = z.infer<typeof organizationUsageSchema>;

/** What is added to a month of an organization. */
export interface UsageIncrement {
  readonly organizationId: string;
  readonly month: string;
  readonly requests: number;
  readonly events: number;
}

/** The identifier of a month's document. */
export function organizationUsageId({
  organizationId,
  month,
}: Pick<UsageIncrement, 'organizationId' | 'month'>): string {
  return `use_${organizationId}_${month}`;
}
