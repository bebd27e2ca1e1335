/** Judges API keys against the document store and caches the verdict for a few seconds, unless the bus announces a change. */
import { Principal } from '../../services/shared/access/principal.ts';
import { keyScopesInForce, type ScopeCatalogue } from '../../services/shared/access/scope-catalogue.ts';
import { hashApiKey, isWellFormedApiKey } from '../../services/shared/credentials/api-key-text.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import type { ApiKey } from '../../services/shared/model/api-key.ts';
import type { Bus, Invalidation } from '../../services/shared/ports/bus.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import { VERDICT_LIFE_MS } from '../kit/verdict-life.ts';
import { BoundedMap } from './bounded-map.ts';
import type { KeyIndex } from './key-index.ts';

/** How many verdicts are cached; good and bad ones separately, so that a flood of random keys evicts no good one. */
const GOOD_VERDICTS = 100_000;
const BAD_VERDICTS = 10_000;

interface GoodVerdict {
  readonly principal: Principal;
  readonly staleAtMs: number;
  /** When the secret ends; checked at each request, not only at the look-up. */
  readonly expiresAtMs: number;
}

export interface KeyVerdictPorts {
  readonly documents: DocumentStore;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly index: KeyIndex;
  /** Says which scopes of a key open something. */
  readonly scopes: ScopeCatalogue;
}

export interface KeyVerdicts {
  /**
   * The principal of a key, null for an invalid key; a promise only when the store is asked. A key outside the index is
   * looked up only if `mayGuess` allows it. `leastLeftMs`: how much of its life a verdict on a good key must have left.
   * @throws ApiError SERVICE_UNAVAILABLE when the store is down or slow
   */
  judge(
    key: string,
    mayGuess: () => boolean,
    leastLeftMs?: number,
  ): Principal | null | Promise<Principal | null>;
  /** How many verdicts are cached. */
  readonly held: number;
  close(): void;
}

export function createKeyVerdicts({ documents, bus, clock, index, scopes }: KeyVerdictPorts): KeyVerdicts {
  const good = new BoundedMap<GoodVerdict>(GOOD_VERDICTS, VERDICT_LIFE_MS, clock);
  /** Until when a key counts as invalid. */
  const bad = new BoundedMap<number>(BAD_VERDICTS, VERDICT_LIFE_MS, clock);
  const underWay = new Map<string, Promise<Principal | null>>();
  /** Each invalidation raises it: a look-up that began before must not be cached after. */
  let epoch = 0;

  function forget(invalidation: Invalidation): void {
    const drop = concerns(invalidation);
    if (drop === null) return;
    epoch++;
    // Later requests must not join a look-up that may have read the state before.
    underWay.clear();
    bad.clear();
    if (invalidation.kind === 'everything') good.clear();
    else good.deleteWhere(({ principal }) => drop(principal));
  }

  async function lookUp(key: string, hash: string): Promise<Principal | null> {
    const askedAtMs = clock.now();
    const begunIn = epoch;
    const { stored, endsAtMs } = await findKey(documents, hash);
    const organization =
      stored && isLive(stored)
        ? await documents.organizations.get(stored.organizationId, stored.organizationId)
        : null;
    if (!stored || !organization) {
      if (begunIn === epoch) {
        good.delete(key);
        bad.set(key, askedAtMs + VERDICT_LIFE_MS);
      }
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
          scopes: [...keyScopesInForce(scopes, stored.scopes)],
          access: stored.access,
        },
        organization.limits,
      ),
      staleAtMs: askedAtMs + VERDICT_LIFE_MS,
      expiresAtMs: endsAtMs,
    };
    const now = clock.now();
    // The store was so slow that its answer is outdated: neither yes nor no.
    if (verdict.staleAtMs <= now) {
      throw new ApiError('SERVICE_UNAVAILABLE', {
        cause: new Error(`the look-up of a key took ${now - askedAtMs} ms`),
        headers: { 'Retry-After': '1' },
      });
    }
    if (begunIn === epoch) good.set(key, verdict);
    return verdict.expiresAtMs > now ? verdict.principal : null;
  }

  function lookUpOnce(key: string, hash: string): Promise<Principal | null> {
    const pending = lookUp(key, hash).finally(() => {
      if (underWay.get(key) === pending) underWay.delete(key);
    });
    underWay.set(key, pending);
    return pending;
  }

  const leave = bus.subscribe(forget);
  return {
    judge(key, mayGuess, leastLeftMs = 0) {
      const now = clock.now();
      const verdict = good.get(key);
      if (verdict !== undefined && verdict.staleAtMs > now + leastLeftMs) {
        return verdict.expiresAtMs > now ? verdict.principal : null;
      }
      if (!isWellFormedApiKey(key)) return null;
      const badUntilMs = bad.get(key);
      if (badUntilMs !== undefined && badUntilMs > now) return null;
      const pending = underWay.get(key);
      if (pending !== undefined) return pending;
      const hash = hashApiKey(key);
      return index.mayKnow(hash) || mayGuess() ? lookUpOnce(key, hash) : null;
    },
    get held() {
      return good.held + bad.held;
    },
    close: leave,
  };
}

/**
 * The key with a hash, current or rotated out, and when that secret ends: with its key, or a rotated-out one with its
 * grace.
 */
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

/** The principals that an invalidation concerns; null when it concerns none with keys. */
function concerns(invalidation: Invalidation): ((principal: Principal) => boolean) | null {
  switch (invalidation.kind) {
    case 'everything':
      return () => true;
    case 'apiKey':
      return ({ caller }) => caller.id === invalidation.id;
    case 'organization':
      return ({ caller }) => caller.organizationId === invalidation.id;
    default:
      return null;
  }
}
