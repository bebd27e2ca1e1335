/**
 * An organization's own flags, read once for all of its websites: each website has them, and strangers may request every
 * website.
 */
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Flag, TargetGroup } from '../../shared/model/flag.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';

/** How much is cached about organizations, in characters of JSON; one holds at most a quarter of it. */
const MOST_CHARACTERS = 33_554_432;

/** Flags of one scope, and the target groups that they name, by identifier. */
export interface ScopeFlags {
  readonly flags: readonly Flag[];
  readonly groups: ReadonlyMap<string, TargetGroup>;
  /** The length of all of it as JSON. */
  readonly characters: number;
  /** When the read began. */
  readonly readAtMs: number;
}

export interface OrganizationFlags {
  /** The cached result while `isFresh` accepts its time, else a new read; concurrent callers share one read. */
  of(organizationId: string, isFresh: (readAtMs: number) => boolean): Promise<ScopeFlags>;
  /** Invalidates cached results: of one organization, or of all. */
  forget(organizationId: string | null): void;
}

export function createOrganizationFlags(documents: DocumentStore, clock: Clock): OrganizationFlags {
  const known = new LRUCache<string, ScopeFlags>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ characters }) => characters,
  });
  const underWay = new Map<string, Promise<ScopeFlags>>();

  function readOnce(organizationId: string): Promise<ScopeFlags> {
    const reading = readScope(documents, organizationId, organizationId, clock.now())
      .then((scope) => {
        // A result invalidated meanwhile is only for those who asked before.
        if (underWay.get(organizationId) === reading) known.set(organizationId, scope);
        return scope;
      })
      .finally(() => {
        if (underWay.get(organizationId) === reading) underWay.delete(organizationId);
      });
    underWay.set(organizationId, reading);
    return reading;
  }

  return {
    async of(organizationId, isFresh) {
      const scope = known.get(organizationId);
      if (scope !== undefined && isFresh(scope.readAtMs)) return scope;
      return underWay.get(organizationId) ?? readOnce(organizationId);
    },
    forget(organizationId) {
      if (organizationId === null) {
        known.clear();
        underWay.clear();
      } else {
        known.delete(organizationId);
        underWay.delete(organizationId);
      }
    },
  };
}

/** Reading many flags blocks the thread for long: others get a turn before and after. */
export async function readScope(
  documents: DocumentStore,
  organizationId: string,
  scopeId: string,
  readAtMs: number,
): Promise<ScopeFlags> {
  const flags = await documents.flagsIn(organizationId, scopeId);
  await setImmediate();
  const ids = new Set(flags.flatMap(({ targetGroupIds }) => targetGroupIds));
  const found = await Promise.all([...ids].map((id) => documents.targetGroups.get(organizationId, id)));
  const groups = new Map(found.flatMap((group) => (group ? [[group.id, group]] : [])));
  const characters = JSON.stringify([flags, [...groups.values()]]).length;
  await setImmediate();
  return { flags, groups, characters, readAtMs };
}
