/** Sessions and their refresh-token families: begun, refreshed exactly once per token, switched and ended. */
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import { LONGEST_AGENT, type Session } from '../../../services/shared/model/session.ts';
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
  /** That of its document. */
  readonly version: number;
  readonly refreshToken: string;
}

/** What a refresh token is worth: `raced`: another tab was first; `ended`: the session is over; `reused`: ended just now. */
export type RefreshOutcome = OpenSession | 'raced' | 'ended' | 'reused';

/** The browser that logs in or refreshes. */
export interface Client {
  /** Its user agent; null when it names none. */
  readonly agent: string | null;
  readonly address: string;
}

/** A session that acts for the organization that it was told to. */
export interface Activation {
  readonly isChanged: boolean;
  /** The version of the session from which on it does. */
  readonly version: number;
}

export interface Sessions {
  begin(userId: string, activeOrganizationId: string, client: Client): Promise<OpenSession>;
  /** Of any number of calls with one token exactly one gets a session. */
  refresh(token: RefreshToken, client: Client): Promise<RefreshOutcome>;
  /** Makes the session act for the organization, which it may do already. */
  activate(userId: string, sessionId: string, organizationId: string): Promise<Activation | 'ended'>;
  /** Those of a user that go on, the one that was used last first. */
  live(userId: string): Promise<Session[]>;
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

  async function rotate(session: Session, client: Client): Promise<OpenSession | null | 'ended'> {
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
      ...bounded(client),
      expiresAt: inThirtyDays(),
    });
    if (updated === null) return null;
    const { id, version } = updated;
    return { id, userId, activeOrganizationId, version, refreshToken: next.text };
  }

  return {
    async begin(userId, activeOrganizationId, client) {
      await prune(userId);
      const id = ids.create('ses');
      const token = tokens.create(id, 1);
      const { version } = await documents.sessions.insert({
        id,
        organizationId: userId,
        activeOrganizationId,
        refreshHash: token.hash,
        generation: token.generation,
        recentRotations: [],
        ...bounded(client),
        expiresAt: inThirtyDays(),
      });
      return { id, userId, activeOrganizationId, version, refreshToken: token.text };
    },

    async refresh(token, client) {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const session = await documents.sessions.findUnique('id', [token.sessionId]);
        if (session === null || isOver(session)) return 'ended';
        if (token.hash === session.refreshHash) {
          const rotated = await rotate(session, client);
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
        const { version } = session;
        if (session.activeOrganizationId === activeOrganizationId) return { isChanged: false, version };
        const updated = await documents.sessions.update(userId, sessionId, version, { activeOrganizationId });
        if (updated !== null) return { isChanged: true, version: updated.version };
      }
      throw busy();
    },

    async live(userId) {
      const sessions = (await documents.sessions.all(userId)).filter((session) => !isOver(session));
      // What one writes is a login, a refresh or a switch: each of them a use.
      return sessions.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0));
    },

    end: (userId, sessionId) => documents.sessions.remove(userId, sessionId),

    async endOthers(userId, keptSessionId) {
      for (const { id } of await documents.sessions.all(userId)) {
        if (id !== keptSessionId) await documents.sessions.remove(userId, id);
      }
    },
  };
}

/** What is kept of a browser. */
function bounded({ agent, address }: Client): Required<Pick<Session, 'agent' | 'address'>> {
  return { agent: agent?.slice(0, LONGEST_AGENT) ?? null, address };
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
