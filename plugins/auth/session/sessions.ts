/** Sessions and their refresh-token families: begun, refreshed exactly once per token, switched and ended. */
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import type { Session } from '../../../services/shared/model/session.ts';
import type { Membership } from '../../../services/shared/model/user.ts';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import type { Ids } from '../../../services/shared/ports/ids.ts';
import { REFRESH_SECONDS } from './cookies.ts';
import type { RefreshToken, RefreshTokens } from './refresh-token.ts';

/** How long after its rotation a spent token is another tab's and not a thief's, in milliseconds. */
const RACE_MS = 10_000;
/** Rotations remembered within that time; more than a session can have. */
const MAX_RECENT = 100;
/** Sessions of one user; a login beyond ends the oldest. */
const MAX_SESSIONS = 100;
/** How often a write is tried again when somebody else was faster. */
const MAX_TRIES = 100;

/** A session with the text of its one good refresh token, which is not stored. */
export interface OpenSession {
  readonly id: string;
  readonly userId: string;
  readonly activeOrganizationId: string;
  readonly refreshToken: string;
}

/** What a refresh token is worth: `raced`: another tab was first; `ended`: the session is over; `reused`: ended just now. */
export type RefreshOutcome = OpenSession | 'raced' | 'ended' | 'reused';

export interface Sessions {
  begin(userId: string, activeOrganizationId: string): Promise<OpenSession>;
  /** Of any number of calls with one token exactly one gets a session. */
  refresh(token: RefreshToken): Promise<RefreshOutcome>;
  /** Makes the session act for the organization. */
  activate(
    userId: string,
    sessionId: string,
    organizationId: string,
  ): Promise<'changed' | 'unchanged' | 'ended'>;
  /** False when it had ended before. */
  end(userId: string, sessionId: string): Promise<boolean>;
  /** Ends every session of a user save one. */
  endOthers(userId: string, keptSessionId: string | null): Promise<void>;
}

export interface SessionsPorts {
  readonly documents: DocumentStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly tokens: RefreshTokens;
}

export function createSessions({ documents, clock, ids, tokens }: SessionsPorts): Sessions {
  const inThirtyDays = (): string => new Date(clock.now() + REFRESH_SECONDS * 1000).toISOString();
  const isOver = (session: Session): boolean => Date.parse(session.expiresAt) <= clock.now();

  async function prune(userId: string): Promise<void> {
    const sessions = await documents.sessions.all(userId);
    const live = sessions.filter((session) => !isOver(session));
    const tooMany = live.slice(0, Math.max(0, live.length - MAX_SESSIONS + 1));
    for (const { id } of [...sessions.filter(isOver), ...tooMany])
      await documents.sessions.remove(userId, id);
  }

  async function rotate(session: Session): Promise<OpenSession | null | 'ended'> {
    const userId = session.organizationId;
    const memberships = await documents.membershipsOf(userId);
    const activeOrganizationId = activeAmong(memberships, session.activeOrganizationId);
    if (activeOrganizationId === null) return 'ended';
    const now = clock.now();
    const next = tokens.create(session.id, session.generation + 1);
    const recent = session.recentRotations.filter(({ at }) => now - Date.parse(at) <= RACE_MS);
    const spent = { generation: session.generation, at: new Date(now).toISOString() };
    const updated = await documents.sessions.update(userId, session.id, session.version, {
      activeOrganizationId,
      refreshHash: next.hash,
      generation: next.generation,
      recentRotations: [...recent, spent].slice(-MAX_RECENT),
      expiresAt: inThirtyDays(),
    });
    return updated && { id: session.id, userId, activeOrganizationId, refreshToken: next.text };
  }

  return {
    async begin(userId, activeOrganizationId) {
      await prune(userId);
      const id = ids.create('ses');
      const token = tokens.create(id, 1);
      await documents.sessions.insert({
        id,
        organizationId: userId,
        activeOrganizationId,
        refreshHash: token.hash,
        generation: token.generation,
        recentRotations: [],
        expiresAt: inThirtyDays(),
      });
      return { id, userId, activeOrganizationId, refreshToken: token.text };
    },

    async refresh(token) {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const session = await documents.sessions.findUnique('id', [token.sessionId]);
        if (session === null || isOver(session)) return 'ended';
        if (token.hash === session.refreshHash) {
          const rotated = await rotate(session);
          if (rotated !== null) return rotated;
          continue;
        }
        // A sealed token that is not behind the stored one comes from before the store was put back: worth nothing.
        if (token.generation >= session.generation) return 'ended';
        const spent = session.recentRotations.find(({ generation }) => generation === token.generation);
        if (spent && clock.now() - Date.parse(spent.at) <= RACE_MS) return 'raced';
        await documents.sessions.remove(session.organizationId, session.id);
        return 'reused';
      }
      throw busy();
    },

    async activate(userId, sessionId, activeOrganizationId) {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const session = await documents.sessions.get(userId, sessionId);
        if (session === null) return 'ended';
        if (session.activeOrganizationId === activeOrganizationId) return 'unchanged';
        const changes = { activeOrganizationId };
        if (await documents.sessions.update(userId, sessionId, session.version, changes)) return 'changed';
      }
      throw busy();
    },

    end: (userId, sessionId) => documents.sessions.remove(userId, sessionId),

    async endOthers(userId, keptSessionId) {
      for (const { id } of await documents.sessions.all(userId)) {
        if (id !== keptSessionId) await documents.sessions.remove(userId, id);
      }
    },
  };
}

/** The organization that a session acts for: the one it did while its user belongs to it, else the oldest membership's. */
export function activeAmong(memberships: readonly Membership[], wanted: string | null): string | null {
  const still = memberships.find((membership) => membership.organizationId === wanted);
  return (still ?? memberships[0])?.organizationId ?? null;
}

function busy(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {
    text: 'This session is being changed by many requests at once; try again.',
    headers: { 'Retry-After': '1' },
  });
}
