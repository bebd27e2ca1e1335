/**
 * Which flags may depend on which: a website's flag on the website's and the organization's, an organization's flag on
 * its own.
 */
import { setImmediate } from 'node:timers/promises';
import type { Flag } from '../../shared/model/flag.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';

/** The fields of a flag that determine its dependencies. */
export type DependingFlag = Pick<Flag, 'key' | 'scopeId' | 'dependencies'>;

/** The flags of a website (null: none) and of its organization, whatever their status. */
export async function flagsAround(
  documents: Pick<DocumentStore, 'flagsIn'>,
  organizationId: string,
  websiteId: string | null,
): Promise<Flag[]> {
  const own = await documents.flagsIn(organizationId, organizationId);
  if (websiteId === null) return own;
  // Others get a turn between two reads, each of which may block the thread for a while.
  await setImmediate();
  return [...own, ...(await documents.flagsIn(organizationId, websiteId))];
}

/** The keys that a flag of `scopeId` may depend on; `around` as {@link flagsAround} reads it for that scope. */
export function reachableKeys(around: readonly DependingFlag[]): Set<string> {
  return new Set(around.map(({ key }) => key));
}

/**
 * The circle that `flag` closes among `around`, such as `['a', 'b', 'a']`; null when there is none. `around` may hold an
 * older version of the flag. No flag of an organization depends on one of a website, so a circle stays within one scope.
 */
export function circleThrough(flag: DependingFlag, around: readonly DependingFlag[]): string[] | null {
  const dependenciesOf = new Map(
    around.filter(({ scopeId }) => scopeId === flag.scopeId).map((each) => [each.key, each.dependencies]),
  );
  dependenciesOf.set(flag.key, flag.dependencies);
  const cameFrom = new Map<string, string>();
  const waiting = [flag.key];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    for (const next of dependenciesOf.get(key) ?? []) {
      if (next === flag.key) return [...pathTo(key, cameFrom), flag.key];
      if (cameFrom.has(next) || !dependenciesOf.has(next)) continue;
      cameFrom.set(next, key);
      waiting.push(next);
    }
  }
  return null;
}

/** The keys from the starting flag to `key`. */
function pathTo(key: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const path = [key];
  for (let before = cameFrom.get(key); before !== undefined; before = cameFrom.get(before))
    path.unshift(before);
  return path;
}

/** Those of an organization's flags that depend on `flag` itself, not on another one with its key. */
export function dependentsOf(
  flag: Pick<Flag, 'key' | 'scopeId' | 'websiteId'>,
  all: readonly Flag[],
): Flag[] {
  const ownKeys = new Set(all.map(({ scopeId, key }) => `${scopeId} ${key}`));
  return all.filter(({ scopeId, dependencies }) => {
    if (!dependencies.includes(flag.key)) return false;
    if (scopeId === flag.scopeId) return true;
    return flag.websiteId === null && !ownKeys.has(`${scopeId} ${flag.key}`);
  });
}
