/** Judges API keys against the document store and remembers the verdict for a few seconds, one look-up per key at a time. */
import { LRUCache } from 'lru-cache';
import { Principal } from '../../services/shared/access/principal.ts';
import { hashApiKey, isWellFormedApiKey } from '../../services/shared/credentials/api-key-text.ts';
import type { ApiKey } from '../../services/shared/model/api-key.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';

/** How long a verdict serves, in milliseconds: with the look-up itself below the 5 seconds in which a revocation binds. */
const VERDICT_LIFE_MS = 4_000;
/** Verdicts remembered, good and bad ones apart so that a spray of random keys drops no good one. */
const GOOD_VERDICTS = 100_000;
const BAD_VERDICTS = 10_000;

interface GoodVerdict {
  readonly principal: Principal;
  readonly staleAtMs: number;
  /** When the secret ends; judged at each request, not only when it is looked up. */
  readonly expiresAtMs: number;
}

export interface KeyVerdicts {
  /** The principal of a key, null for a key that is no good; a promise only when the store is asked. */
  judge(key: string): Principal | null | Promise<Principal | null>;
}

export function createKeyVerdicts(documents: DocumentStore, clock: Clock): KeyVerdicts {
  const good = new LRUCache<string, GoodVerdict>({ max: GOOD_VERDICTS });
  const bad = new LRUCache<string, number>({ max: BAD_VERDICTS });
  const underWay = new Map<string, Promise<Principal | null>>();

  async function lookUp(key: string): Promise<Principal | null> {
    const askedAtMs = clock.now();
    const { stored, endsAtMs } = await findKey(documents, hashApiKey(key));
    const organization =
      stored && isLive(stored)
        ? await documents.organizations.get(stored.organizationId, stored.organizationId)
        : null;
    if (!stored || !organization) {
      good.delete(key);
      bad.set(key, askedAtMs + VERDICT_LIFE_MS);
      return null;
    }
    const verdict: GoodVerdict = {
      principal: new Principal(
        {
          id: stored.id,
          kind: 'key',
          organizationId: stored.organizationId,
          userId: null,
          role: null,
          plan: organization.plan,
          scopes: stored.scopes,
          access: stored.access,
        },
        organization.limits,
      ),
      staleAtMs: askedAtMs + VERDICT_LIFE_MS,
      expiresAtMs: endsAtMs,
    };
    bad.delete(key);
    good.set(key, verdict);
    return verdict.expiresAtMs > clock.now() ? verdict.principal : null;
  }

  return {
    judge(key) {
      const now = clock.now();
      const verdict = good.get(key);
      if (verdict !== undefined && verdict.staleAtMs > now) {
        return verdict.expiresAtMs > now ? verdict.principal : null;
      }
      if (!isWellFormedApiKey(key)) return null;
      const badUntilMs = bad.get(key);
      if (badUntilMs !== undefined && badUntilMs > now) return null;
      let pending = underWay.get(key);
      if (pending === undefined) {
        pending = lookUp(key).finally(() => underWay.delete(key));
        underWay.set(key, pending);
      }
      return pending;
    },
  };
}

/** The key of a hash, current or rotated out, and when that secret ends: with its key, a rotated-out one with its grace. */
async function findKey(
  documents: DocumentStore,
  hash: string,
): Promise<{ readonly stored: ApiKey | null; readonly endsAtMs: number }> {
  const current = await documents.apiKeys.findUnique('keyHash', [hash]);
  if (current) return { stored: current, endsAtMs: instantMs(current.expiresAt) };
  const rotated = await documents.apiKeys.findUnique('previousKeyHash', [hash]);
  if (rotated?.previousValidUntil == null) return { stored: null, endsAtMs: 0 };
  return {
    stored: rotated,
    endsAtMs: Math.min(instantMs(rotated.expiresAt), Date.parse(rotated.previousValidUntil)),
  };
}

function instantMs(instant: string | null): number {
  return instant === null ? Number.POSITIVE_INFINITY : Date.parse(instant);
}

function isLive(key: ApiKey): boolean {
  return key.enabled && key.revokedAt === null;
}
