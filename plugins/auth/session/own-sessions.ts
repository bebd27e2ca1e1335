/** The sessions of a user, as a list, and the end of one of them from another. */
import { z } from 'zod';
import { type OwnSession, ownSessionSchema } from '../../../services/shared/accounts/session-schema.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import type { Session } from '../../../services/shared/model/session.ts';
import { ROLES } from '../../../services/shared/model/user.ts';
import { defineAuthRoute } from './auth-route.ts';
import type { ReadDevice } from './session-device.ts';

const EXAMPLE: OwnSession = {
  id: 'ses_01k3w6v1q8z5m7r2c4x9t0b6ha',
  current: true,
  createdAt: '2026-01-15T09:30:00.000Z',
  lastUsedAt: '2026-01-15T10:45:00.000Z',
  expiresAt: '2026-02-14T10:45:00.000Z',
  activeOrganizationId: 'org_01k3w6v1q8z5m7r2c4x9t0b6ha',
  agent: {
    browser: 'Firefox',
    os: 'Linux',
    deviceType: 'desktop',
    text: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  },
  address: '192.0.2.7',
};

export const sessionsRoute = defineAuthRoute({
  operationId: 'listSessions',
  method: 'GET',
  path: '/v1/auth/sessions',
  rule: { roles: ROLES },
  needs: 'session',
  summary: 'List the own sessions',
  description:
    'Every session of the user that goes on, in whatever organization, the one that was used last first; a hundred at most.',
  tags: ['auth'],
  success: {
    status: 200,
    schema: z.object({ success: z.literal(true), data: z.array(ownSessionSchema) }),
    example: { success: true, data: [EXAMPLE] },
  },
  errors: [],
  async answer({ parts, caller }) {
    const sessions = await parts.sessions.live(caller.userId ?? '');
    return {
      body: { success: true, data: sessions.map((session) => viewOwn(session, caller.id, parts.readDevice)) },
    };
  },
});

function viewOwn(session: Session, currentId: string, readDevice: ReadDevice): OwnSession {
  const { id, createdAt, updatedAt, expiresAt, activeOrganizationId, agent, address } = session;
  return {
    id,
    current: id === currentId,
    createdAt,
    lastUsedAt: updatedAt,
    expiresAt,
    activeOrganizationId,
    agent: readDevice(agent ?? null),
    address: address ?? null,
  };
}

export const endSessionRoute = defineAuthRoute({
  operationId: 'endSession',
  method: 'DELETE',
  path: '/v1/auth/sessions/:id',
  rule: { roles: ROLES },
  needs: 'session',
  summary: 'End one of the own sessions',
  description:
    'Ends the session at once, with its refresh token; within 5 seconds on other gateways. One of another user is as if it did not exist. The session that asks may be ended too; a logout makes its browser forget the cookies as well.',
  tags: ['auth'],
  success: { status: 204, schema: z.undefined(), example: undefined },
  errors: ['NOT_FOUND'],
  audit: 'session.end',
  async answer({ parts, caller, params }) {
    const { id = '' } = params;
    const userId = caller.userId ?? '';
    const session = (await parts.sessions.live(userId)).find((one) => one.id === id);
    // Of two that end it at a time one alone does.
    if (session === undefined || !(await parts.sessions.end(userId, id))) {
      throw new ApiError('NOT_FOUND', { text: `The session "${id}" does not exist, or has ended.` });
    }
    parts.tell({ kind: 'session', id });
    const { activeOrganizationId: organizationId } = session;
    return { written: [{ organizationId, sessionId: caller.id, userId, targetId: id }] };
  },
});
