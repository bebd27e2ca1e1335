/** Reads of the document store for caches: key hashes, public limits, an organization's websites. */
import type { Model } from 'mongoose';
import type { OwnPublicLimit, WebsiteSummary } from '../../ports/document-store.ts';
import { LONG_READ_MS, READ_MS } from './document-models.ts';
import type { RawDocument } from './document-values.ts';

export interface KeyHashPage {
  readonly limit: number;
  readonly after: string;
  /** Secrets whose grace has ended by then are left out. */
  readonly now: Date;
}

/** One page of each of the two indexes, merged. */
export async function readKeyHashes(
  apiKeys: Model<RawDocument>,
  { limit, after, now }: KeyHashPage,
): Promise<string[]> {
  const page = async (field: 'keyHash' | 'previousKeyHash', condition: object): Promise<string[]> => {
    const found = await apiKeys
      .find({ [field]: { $gt: after }, ...condition }, { _id: 0, [field]: 1 })
      .sort({ [field]: 1 })
      .limit(limit)
      .maxTimeMS(READ_MS)
      .lean<Readonly<Record<string, string>>[]>()
      .exec();
    return found.map((key) => key[field] ?? '');
  };
  const current = await page('keyHash', {});
  const previous = await page('previousKeyHash', { previousValidUntil: { $gt: now.toISOString() } });
  return [...new Set([...current, ...previous])].sort(byBytes).slice(0, limit);
}

/** Organizations with a public limit of their own, by id ascending, and their websites. */
export async function readOwnPublicLimits(
  organizations: Model<RawDocument>,
  websites: Model<RawDocument>,
): Promise<OwnPublicLimit[]> {
  const limited = await organizations
    .find({ 'limits.publicPerMinute': { $gt: 0 } }, { 'limits.publicPerMinute': 1 })
    .sort({ _id: 1 })
    .maxTimeMS(LONG_READ_MS)
    .lean<{ _id: string; limits: { publicPerMinute: number } }[]>()
    .exec();
  if (limited.length === 0) return [];
  const owned = await websites
    .find({ organizationId: { $in: limited.map(({ _id }) => _id) } }, { organizationId: 1 })
    .sort({ organizationId: 1, _id: 1 })
    .maxTimeMS(LONG_READ_MS)
    .lean<{ _id: string; organizationId: string }[]>()
    .exec();
  const websiteIds = new Map(limited.map(({ _id }) => [_id, [] as string[]]));
  for (const { _id, organizationId } of owned) websiteIds.get(organizationId)?.push(_id);
  return limited.map(({ _id, limits: { publicPerMinute } }) => ({
    organizationId: _id,
    publicPerMinute,
    websiteIds: websiteIds.get(_id) ?? [],
  }));
}

/** The list fields of many websites, by id ascending. */
export async function readWebsiteSummaries(
  websites: Model<RawDocument>,
  organizationId: string,
): Promise<WebsiteSummary[]> {
  const found = await websites
    .find({ organizationId }, { name: 1, domain: 1, isPublic: 1, createdAt: 1 })
    .sort({ _id: 1 })
    .maxTimeMS(LONG_READ_MS)
    .lean<(Omit<WebsiteSummary, 'id'> & { readonly _id: string })[]>()
    .exec();
  return found.map(({ _id: id, name, domain, isPublic, createdAt }) => ({
    ...{ id, name, domain, isPublic, createdAt },
  }));
}

/** The order in which MongoDB sorts text. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
