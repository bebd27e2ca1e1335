/** The one rule for who reaches which website; a missing website and a forbidden one look alike (contract.md section 2). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../errors/api-error.ts';
import type { Website } from '../model/website.ts';
import type { DocumentStore, WebsiteSummary } from '../ports/document-store.ts';
import type { Caller } from './caller.ts';

/** Whether `caller` may reach the website of its organization with this identifier. */
export function reaches(caller: Caller, websiteId: string): boolean {
  return caller.access.level === 'global' || caller.access.websiteIds.includes(websiteId);
}

/** The website, or ACCESS_DENIED: unknown, foreign and unlisted ones get the same answer. */
export async function requireWebsite(
  documents: Pick<DocumentStore, 'websites'>,
  caller: Caller,
  websiteId: string,
): Promise<Website> {
  if (caller.organizationId !== null && reaches(caller, websiteId)) {
    const website = await documents.websites.get(caller.organizationId, websiteId);
    if (website) return website;
  }
  throw new ApiError('ACCESS_DENIED', {
    text: `The website "${websiteId}" is not accessible to this caller; GET /v1/query/websites lists those that are.`,
  });
}

/** How many websites are looked up before other requests get a turn. */
const LOOK_UPS_A_TURN = 20;

/** Those identifiers that name no website of the organization. A website that another process just created is known. */
export async function unknownWebsites(
  documents: DocumentStore,
  organizationId: string,
  websiteIds: readonly string[],
): Promise<Set<string>> {
  const remembered = positionsIn(await documents.websitesOf(organizationId));
  const unknown = new Set<string>();
  for (const [i, id] of [...new Set(websiteIds)].filter((named) => !remembered.has(named)).entries()) {
    if ((await documents.websites.get(organizationId, id)) === null) unknown.add(id);
    if (i % LOOK_UPS_A_TURN === LOOK_UPS_A_TURN - 1) await nextTurn();
  }
  return unknown;
}

/**
 * Every website that `caller` reaches, by identifier ascending; listed websites that no longer exist are left out.
 * Writes of other processes show within 5 seconds.
 */
export async function accessibleWebsites(
  documents: DocumentStore,
  caller: Caller,
): Promise<readonly WebsiteSummary[]> {
  if (caller.organizationId === null) return [];
  if (caller.access.level === 'global') return documents.websitesOf(caller.organizationId);
  return among(await documents.websitesOf(caller.organizationId), caller.access.websiteIds);
}

/**
 * The websites with these identifiers, in the order of `websites`; cost does not grow with the organization's other
 * websites.
 */
function among(websites: readonly WebsiteSummary[], ids: readonly string[]): readonly WebsiteSummary[] {
  const positions = positionsIn(websites);
  return [...new Set(ids)]
    .flatMap((id) => positions.get(id) ?? [])
    .sort((a, b) => a - b)
    .flatMap((position) => websites[position] ?? []);
}

/** The position of each website in a remembered list: built once per list, not once per request. */
const positionsOf = new WeakMap<readonly WebsiteSummary[], ReadonlyMap<string, number>>();

function positionsIn(websites: readonly WebsiteSummary[]): ReadonlyMap<string, number> {
  const known = positionsOf.get(websites);
  if (known !== undefined) return known;
  const positions = new Map(websites.map(({ id }, position) => [id, position]));
  positionsOf.set(websites, positions);
  return positions;
}
