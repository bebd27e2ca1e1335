/** Judges access cookies against the document store and remembers the verdict for a few seconds, one look-up per session at a time. */
import { LRUCache } from 'lru-cache';
import { Principal } from '../../../services/shared/access/principal.ts';
import type { ScopeCatalogue } from '../../../services/shared/access/scope-catalogue.ts';
import { atMost } from '../../../services/shared/caches/at-most.ts';
import type { Invalidation } from '../../../services/shared/ports/bus.ts';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import { VERDICT_LIFE_MS } from '../../kit/verdict-life.ts';
import type { AccessClaims, AccessTokens } from './access-token.ts';

/** Sessions and tokens remembered; only tokens that this service signed are, so that nonsense drops none. */
const REMEMBERED = 50_000;

interface Verdict {
  /** Null: the session has ended, or its user left the organization. */
  readonly principal: Principal | null;
  readonly staleAtMs: number;
  /** The highest version of the session that the tokens it was made for name. */
  readonly version: number;
}

interface LookUp {
  readonly principal: Promise<Principal | null>;
  readonly version: number;
}

/** What changed: a session, a user, a membership, an organization with all its members, nobody knows what, or what is no matter here. */
export type Forgotten =
  | { readonly kind: 'session' | 'user' | 'organization'; readonly id: string }
  | { readonly kind: 'membership'; readonly organizationId: string }
  | { readonly kind: Exclude<Invalidation['kind'], 'session' | 'user' | 'organization' | 'membership'> };

/** What else a verdict depends on. */
export interface SessionDemands {
  /** Whether its session alone says if a token that was good once still is, not its 15 minutes. */
  readonly isStanding: boolean;
  /** How much of its life a known verdict must have left, in milliseconds. */
  readonly leastLeftMs: number;
}

const NO_DEMANDS: SessionDemands = { isStanding: false, leastLeftMs: 0 };

export interface SessionVerdicts {
  /**
   * The principal of an access token, null for one that is no good; a promise only when there is no fresh verdict. One that was
   * issued as a cookie of the host alone is no good from another (`fromHost` false).
   */
  judge(
    token: string,
    fromHost: boolean,
    demands?: SessionDemands,
  ): Principal | null | Promise<Principal | null>;
  /** Forgets what a change made untrue; it binds from the next request on. */
  forget(changed: Forgotten): void;
}

export interface SessionVerdictPorts {
  readonly documents: DocumentStore;
  readonly clock: Clock;
  /** Says what each role holds. */
  readonly scopes: ScopeCatalogue;
}

export function createSessionVerdicts(ports: SessionVerdictPorts, tokens: AccessTokens): SessionVerdicts {
  const { clock } = ports;
  const claimsOf = new LRUCache<string, AccessClaims>(atMost(REMEMBERED));
  const verdicts = new LRUCache<string, Verdict>(atMost(REMEMBERED));
  const underWay = new Map<string, LookUp>();

  async function readToken(
    token: string,
    fromHost: boolean,
    demands: SessionDemands,
  ): Promise<Principal | null> {
    const claims = await tokens.verify(token);
    if (claims === null) return null;
    claimsOf.set(token, claims);
    return judgeClaims(claims, fromHost, demands);
  }

  function judgeClaims(
    claims: AccessClaims,
    fromHost: boolean,
    { isStanding, leastLeftMs }: SessionDemands,
  ): Principal | null | Promise<Principal | null> {
    const now = clock.now();
    if ((claims.expiresAtMs <= now && !isStanding) || (claims.isOfHost && !fromHost)) return null;
    const { sessionId, sessionVersion: version } = claims;
    const verdict = verdicts.get(sessionId);
    // A token of a later version: another gateway changed the session, and this one was not told yet.
    if (verdict !== undefined && verdict.staleAtMs > now + leastLeftMs && verdict.version >= version)
      return verdict.principal;
    const pending = underWay.get(sessionId);
    if (pending !== undefined && pending.version >= version) return pending.principal;
    const begun: LookUp = { principal: lookUp(ports, claims), version };
    underWay.set(sessionId, begun);
    // Whoever was told meanwhile that something changed took this look-up out: its answer may be the old one.
    const settled = (principal?: Principal | null): void => {
      if (underWay.get(sessionId) !== begun) return;
      underWay.delete(sessionId);
      if (principal !== undefined)
        verdicts.set(sessionId, { principal, staleAtMs: now + VERDICT_LIFE_MS, version });
    };
    begun.principal.then(settled, () => settled());
    return begun.principal;
  }

  return {
    judge(token, fromHost, demands = NO_DEMANDS) {
      const claims = claimsOf.get(token);
      return claims === undefined
        ? readToken(token, fromHost, demands)
        : judgeClaims(claims, fromHost, demands);
    },
    forget(changed) {
      if (changed.kind === 'apiKey') return;
      if (changed.kind === 'session') {
        verdicts.delete(changed.id);
        underWay.delete(changed.id);
        return;
      }
      // Whom a look-up under way is about is not known yet.
      underWay.clear();
      for (const [sessionId, { principal }] of [...verdicts.entries()]) {
        if (principal === null || concerns(changed, principal)) verdicts.delete(sessionId);
      }
    },
  };
}

function concerns(changed: Forgotten, { caller }: Principal): boolean {
  switch (changed.kind) {
    case 'session':
      return caller.id === changed.id;
    case 'user':
      return caller.userId === changed.id;
    case 'organization':
      return caller.organizationId === changed.id;
    case 'membership':
      return caller.organizationId === changed.organizationId;
    case 'everything':
      return true;
    default:
      return false;
  }
}

async function lookUp(
  { documents, scopes }: SessionVerdictPorts,
  claims: AccessClaims,
): Promise<Principal | null> {
  const { userId, sessionId } = claims;
  const session = await documents.sessions.get(userId, sessionId);
  if (session === null) return null;
  const organizationId = session.activeOrganizationId;
  const [membership, organization, user] = await Promise.all([
    documents.memberships.findUnique('organizationUser', [organizationId, userId]),
    documents.organizations.get(organizationId, organizationId),
    documents.users.get(userId, userId),
  ]);
  if (membership === null || organization === null) return null;
  const { role } = membership;
  return new Principal(
    {
      id: sessionId,
      kind: 'session',
      organizationId,
      userId,
      role,
      plan: organization.plan,
      scopes: [...scopes.ofRole[role]],
      access: { level: 'global' },
    },
    organization.limits,
    user?.isOperator === true,
  );
}
