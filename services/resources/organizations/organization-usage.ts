/** Reads an organization's usage month by month, the current one first; months without usage are included with zeros. */
import { z } from 'zod';
import { monthOf, organizationUsageId } from '../../shared/model/organization-usage.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';

/** The usage of one month. */
export const usageCountSchema = z.object({
  month: z.string().describe('Calendar month in UTC, such as 2026-01.'),
  requests: z
    .number()
    .int()
    .describe('Requests with a valid credential that the rate limits admitted; a batch is one.'),
  events: z.number().int().describe('Events that were stored; repeats of an eventId are not.'),
});
export type UsageCount = z.infer<typeof usageCountSchema>;

/** The last `count` months up to that of `nowMs`. The last 30 seconds of each process may be missing. */
export async function readUsage(
  documents: Pick<DocumentStore, 'organizationUsage'>,
  organizationId: string,
  nowMs: number,
  count: number,
): Promise<[UsageCount, ...UsageCount[]]> {
  const read = async (month: string): Promise<UsageCount> => {
    const id = organizationUsageId({ organizationId, month });
    const stored = await documents.organizationUsage.get(organizationId, id);
    return { month, requests: stored?.requests ?? 0, events: stored?.events ?? 0 };
  };
  const [current, ...earlier] = await Promise.all(
    Array.from({ length: count }, (_, back) => read(monthBefore(nowMs, back))),
  );
  return [current ?? (await read(monthOf(nowMs))), ...earlier];
}

function monthBefore(nowMs: number, back: number): string {
  const now = new Date(nowMs);
  return monthOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back));
}
