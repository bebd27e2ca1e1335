/** What each organization uses, in numbers: of tenants nothing else is shown. */

import type { PlatformData } from '../../../plugins/kit/platform-views.ts';
import { ACTIVITY_GRAINS } from '../../../services/shared/model/activity.ts';
import { monthOf, organizationUsageId } from '../../../services/shared/model/organization-usage.ts';
import { parseRequestLabels, REQUEST_OUTCOMES } from '../../../services/shared/model/request-labels.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import { readActivity } from '../../../services/shared/usage/read-activity.ts';

const HOURS = 24;

/** By id; `next` is the id to go on after, null at the end. */
export async function organizationCounts(
  documents: DocumentStore,
  nowMs: number,
  { limit, after = '' }: { readonly limit: number; readonly after?: string },
): Promise<PlatformData<'organizations'>> {
  const all = (await documents.allOrganizations()).filter(({ id }) => id > after);
  const page = all.slice(0, limit);
  const month = monthOf(nowMs);
  const organizations: PlatformData<'organizations'>['organizations'][number][] = [];
  for (const { id, plan, createdAt } of page) {
    const used = await documents.organizationUsage.get(
      id,
      organizationUsageId({ organizationId: id, month }),
    );
    organizations.push({
      ...{ id, plan, createdAt },
      websites: (await documents.websitesOf(id)).length,
      usage: { month, requests: used?.requests ?? 0, events: used?.events ?? 0 },
      lastDay: await outcomesOf(documents, id, nowMs),
    });
  }
  return { organizations, next: all.length > page.length ? (page.at(-1)?.id ?? null) : null };
}

/** Of the last 24 hours, the one that goes on included. */
async function outcomesOf(
  documents: DocumentStore,
  organizationId: string,
  nowMs: number,
): Promise<Record<string, number>> {
  const { slotMs } = ACTIVITY_GRAINS.hour;
  const endMs = (Math.floor(nowMs / slotMs) + 1) * slotMs;
  const range = { grain: 'hour', startMs: endMs - HOURS * slotMs, endMs, slots: HOURS } as const;
  const subject = { organizationId, websiteId: null, series: 'requests' } as const;
  const counts = Object.fromEntries(REQUEST_OUTCOMES.map((outcome) => [outcome, 0])) as Record<
    string,
    number
  >;
  await readActivity(documents, subject, range, (labels, _slot, count) => {
    const { outcome } = parseRequestLabels(labels);
    counts[outcome] = (counts[outcome] ?? 0) + count;
  });
  return counts;
}
