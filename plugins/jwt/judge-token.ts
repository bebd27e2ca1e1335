/** Judges a request by its token: what the token says, and what its organization is now, each remembered within its own bound. */
import { LRUCache } from 'lru-cache';
import type { TokenCaller } from '../../services/shared/access/caller.ts';
import { Principal } from '../../services/shared/access/principal.ts';
import { atMost } from '../../services/shared/caches/at-most.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import type { Organization } from '../../services/shared/model/organization.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { KnownOrganizations } from './organizations.ts';
import { digestOf, type VerifiedToken, type VerifyToken } from './verify-token.ts';

/** How long a signature counts without being checked again, in milliseconds: a key that was removed opens nothing after it. */
const VERIFIED_LIFE_MS = 60_000;
/** How many tokens are remembered; those used least go first. Bad ones are not: they could crowd out the good. */
const VERIFIED_TOKENS = 20_000;

/** What a token is worth: the principal, or why it opens nothing. */
export type Verdict = Principal | ApiError;

export interface JudgeToken {
  /**
   * A promise only when a signature is checked or the store is asked. `leastLeftMs`: how much of its life a verdict must have
   * left. Rejects with 503 when neither yes nor no is known.
   */
  judge(token: string, leastLeftMs: number): Verdict | Promise<Verdict>;
}

interface Held {
  readonly token: VerifiedToken;
  /** Until when the signature counts. */
  readonly untilMs: number;
  /** As of the organization that made it; it goes with that. */
  principal: Principal | null;
  organization: Organization | null;
}

export interface JudgePorts {
  readonly clock: Clock;
  readonly issuer: string;
  readonly verify: VerifyToken;
  readonly organizations: KnownOrganizations;
}

export function createJudgeToken({ clock, issuer, verify, organizations }: JudgePorts): JudgeToken {
  /** By the digest of the token, which itself is kept nowhere. */
  const verified = new LRUCache<string, Held>(atMost(VERIFIED_TOKENS));
  const underWay = new Map<string, Promise<Held | null>>();

  function heldOf(digest: string): Held | null {
    const held = verified.get(digest);
    return held !== undefined && held.untilMs > clock.now() ? held : null;
  }

  async function hold(text: string, digest: string): Promise<Held | null> {
    const nowMs = clock.now();
    const token = await verify(text);
    if (token === null) return null;
    const untilMs = Math.min(nowMs + VERIFIED_LIFE_MS, token.expiresAtMs);
    const held: Held = { token, untilMs, principal: null, organization: null };
    verified.set(digest, held);
    return held;
  }

  function holdOnce(text: string, digest: string): Promise<Held | null> {
    const pending = hold(text, digest).finally(() => underWay.delete(digest));
    underWay.set(digest, pending);
    return pending;
  }

  function principalOf(held: Held, organization: Organization | null): Verdict {
    if (organization === null) return noOrganization();
    if (held.principal === null || held.organization !== organization) {
      held.principal = new Principal(callerOf(held.token, organization), organization.limits);
      held.organization = organization;
    }
    return held.principal;
  }

  function callerOf({ id, subject, scopes }: VerifiedToken, { id: organizationId, plan }: Organization) {
    return {
      ...{ id, kind: 'jwt', organizationId, userId: null, role: null, plan },
      ...{ scopes: [...scopes], access: { level: 'global' }, issuer, subject },
    } satisfies TokenCaller;
  }

  function verdictOn(held: Held, leastLeftMs: number): Verdict | Promise<Verdict> {
    const { organizationId } = held.token;
    if (organizationId === null) return noOrganization();
    const organization = organizations.of(organizationId, leastLeftMs);
    if (!(organization instanceof Promise)) return principalOf(held, organization);
    return organization.then((found) => principalOf(held, found));
  }

  return {
    judge(token, leastLeftMs) {
      const digest = digestOf(token);
      const held = heldOf(digest);
      if (held !== null) return verdictOn(held, leastLeftMs);
      return (underWay.get(digest) ?? holdOnce(token, digest)).then((found) =>
        found === null ? new ApiError('INVALID_TOKEN') : verdictOn(found, leastLeftMs),
      );
    },
  };
}

/** The same whether the token names none, one that it may not name, or one that does not exist. */
function noOrganization(): ApiError {
  return new ApiError('ACCESS_DENIED', { text: 'The token names no organization that may ask here.' });
}
