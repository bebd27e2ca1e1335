/** Judges access cookies against the document store and remembers the verdict for a few seconds, one look-up per session at a time. */
import { LRUCache } from 'lru-cache';
import { Principal } from '../../../services/shared/access/principal.ts';
import { ROLE_SCOPES } from '../../../services/shared/access/role-scopes.ts';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import type { AccessClaims, AccessTokens } from './access-token.ts';

/** How long a verdict serves, in milliseconds: with the look-up itself below the 5 seconds in which a change binds. */
const VERDICT_LIFE_MS = 4_000;
/** Sessions and tokens remembered; only tokens that this service signed are, so that nonsense drops none. */
const REMEMBERED = 50_000;

interface Verdict {
  /** Null: the session has ended, or its user left the organization. */
  readonly principal: Principal | null;
  readonly staleAtMs: number;
}

/** What changed: a session, a user, a membership, an organization with all its members, nobody knows what, or what is no matter here. */
export type Forgotten =
  | { readonly kind: 'session' | 'user' | 'organization'; readonly id: string }
  | { readonly kind: 'membership'; readonly organizationId: string }
  | { readonly kind: 'apiKey' | 'website' | 'link' | 'flag' | 'targetGroup' | 'everything' };

export interface SessionVerdicts {
  /** The principal of an access token, null for one that is no good; a promise only when there is no fresh verdict. */
  judge(token: string): Principal | null | Promise<Principal | null>;
  /** Forgets what a change made untrue; it binds from the next request on. */
  forget(changed: Forgotten): void;
}

export function createSessionVerdicts(
  documents: DocumentStore,
  clock: Clock,
  tokens: AccessTokens,
): SessionVerdicts {
  const claimsOf = new LRUCache<string, AccessClaims>({ max: REMEMBERED });
  const verdicts = new LRUCache<string, Verdict>({ max: REMEMBERED });
  const underWay = new Map<string, Promise<Principal | null>>();

  async function readToken(token: string): Promise<Principal | null> {
    const claims = await tokens.verify(token);
    if (claims === null) return null;
    claimsOf.set(token, claims);
    return judgeClaims(claims);
  }

  function judgeClaims(claims: AccessClaims): Principal | null | Promise<Principal | null> {
    const now = clock.now();
    if (claims.expiresAtMs <= now) return null;
    const { sessionId } = claims;
    const verdict = verdicts.get(sessionId);
    if (verdict !== undefined && verdict.staleAtMs > now) return verdict.principal;
    const pending = underWay.get(sessionId);
    if (pending !== undefined) return pending;
    const begun = lookUp(documents, claims).then((principal) => {
      // Whoever was told meanwhile that something changed took this look-up out: its answer may be the old one.
      if (underWay.get(sessionId) === begun)
        verdicts.set(sessionId, { principal, staleAtMs: now + VERDICT_LIFE_MS });
      return principal;
    });
    underWay.set(sessionId, begun);
    const settled = (): void => {
      if (underWay.get(sessionId) === begun) underWay.delete(sessionId);
    };
    begun.then(settled, settled);
    return begun;
  }

  return {
    judge(token) {
      const claims = claimsOf.get(token);
      return claims === undefined ? readToken(token) : judgeClaims(claims);
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

async function lookUp(documents: DocumentStore, claims: AccessClaims): Promise<Principal | null> {
  const { userId, sessionId } = claims;
  const session = await documents.sessions.get(userId, sessionId);
  if (session === null) return null;
  const organizationId = session.activeOrganizationId;
  const [membership, organization] = await Promise.all([
    documents.memberships.findUnique('organizationUser', [organizationId, userId]),
    documents.organizations.get(organizationId, organizationId),
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
      scopes: [...ROLE_SCOPES[role]],
      access: { level: 'global' },
    },
    organization.limits,
  );
}
