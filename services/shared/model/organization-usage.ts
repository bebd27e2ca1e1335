/** What an organization used in one calendar month (UTC). */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

export const organizationUsageSchema = storedSchema.extend({
  /** Such as `2026-01`. */
  month: z.string(),
  /** Requests with a valid credential that the rate limits counted and admitted. */
  requests: z.number().int(),
  /** Events that tracking and imports stored. */
  events: z.number().int(),
});
export type OrganizationUsage = z.infer<typeof organizationUsageSchema>;

/** What is added to one month of an organization. */
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

/** The calendar month of an instant in UTC, such as `2026-01`. */
export function monthOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7);
}

/** When the calendar month after this instant begins, in milliseconds. */
export function nextMonthMs(atMs: number): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1);
}
