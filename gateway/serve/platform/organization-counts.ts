/** What each organization uses, in numbers: of tenants nothing else is shown. */

import type { PlatformData } from '../../../plugins/kit/platform-views.ts';
import { ACTIVITY_GRAINS } from '../../../services/shared/model/activity.ts';
import type { Organization } from '../../../services/shared/model/organization.ts';
import { monthOf, organizationUsageId } from '../../../services/shared/model/organization-usage.ts';
import { PLATFORM_TRAFFIC, parsePlatformLabels } from '../../../services/shared/model/platform-labels.ts';
import { parseRequestLabels, REQUEST_OUTCOMES } from '../../../services/shared/model/request-labels.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import { type ActivityRange, readActivity } from '../../../services/shared/usage/read-activity.ts';

const HOURS = 24;
const MOST_BUSIEST = 100;

/** How they are sorted: by id, or by what the last 24 hours count. */
export const ORGANIZATION_SORTS = ['id', 'requests', 'limited'] as const;

interface Asked {
  readonly limit: number;
  /** Only by id. */
  readonly after?: string;
  readonly sort: (typeof ORGANIZATION_SORTS)[number];
}

type Told = PlatformData<'organizations'>;

/** By id, page after page: `next` is the id to go on after, null at the end; or the busiest alone. `near`: who has little left of a limit. */
export async function organizationCounts(
  documents: DocumentStore,
  nowMs: number,
  { limit, after = '', sort }: Asked,
  near: readonly PlatformData<'limits'>['nearLimits'][number][],
): Promise<Told> {
  const all =
    sort === 'id'
      ? (await documents.allOrganizations()).filter(({ id }) => id > after)
      : await busiest(documents, nowMs, sort);
  const page = all.slice(0, limit);
  const month = monthOf(nowMs);
  const organizations: Told['organizations'][number][] = [];
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
      near: nearest(near.filter(({ organization }) => organization === id)),
    });
  }
  const hasMore = sort === 'id' && all.length > page.length;
  return { organizations, next: hasMore ? (page.at(-1)?.id ?? null) : null };
}

function nearest(
  near: readonly PlatformData<'limits'>['nearLimits'][number][],
): Told['organizations'][number]['near'] {
  const [first] = [...near].sort((a, b) => a.remaining / a.limit - b.remaining / b.limit);
  return first === undefined ? null : { limit: first.limit, remaining: first.remaining, reset: first.reset };
}

/** Those that gateways counted among the busiest within the last 24 hours, the busiest first. */
async function busiest(
  documents: DocumentStore,
  nowMs: number,
  sort: 'requests' | 'limited',
): Promise<Organization[]> {
  const counts = new Map<string, number>();
  await readActivity(documents, PLATFORM_TRAFFIC, lastDay(nowMs), (labels, _slot, count) => {
    const { what, name, of } = parsePlatformLabels(labels);
    if (what === 'organization' && of === sort) counts.set(name, (counts.get(name) ?? 0) + count);
  });
  const sorted = [...counts].sort(([, one], [, other]) => other - one).slice(0, MOST_BUSIEST);
  const found = await Promise.all(sorted.map(([id]) => documents.organizations.get(id, id)));
  return found.filter((organization) => organization !== null);
}

/** The last 24 hours, the one that goes on included. */
function lastDay(nowMs: number): ActivityRange {
  const { slotMs } = ACTIVITY_GRAINS.hour;
  const endMs = (Math.floor(nowMs / slotMs) + 1) * slotMs;
  return { grain: 'hour', startMs: endMs - HOURS * slotMs, endMs, slots: HOURS };
}

async function outcomesOf(
  documents: DocumentStore,
  organizationId: string,
  nowMs: number,
): Promise<Record<string, number>> {
  const subject = { organizationId, websiteId: null, series: 'requests' } as const;
  const counts = Object.fromEntries(REQUEST_OUTCOMES.map((outcome) => [outcome, 0])) as Record<
    string,
    number
  >;
  await readActivity(documents, subject, lastDay(nowMs), (labels, _slot, count) => {
    const { outcome } = parseRequestLabels(labels);
    counts[outcome] = (counts[outcome] ?? 0) + count;
  });
  return counts;
}
