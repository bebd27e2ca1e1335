/** Manages the members of an organization: sessions of owners and admins only (contract.md section 7). */
import { z } from 'zod';
import type { Caller } from '../../shared/access/caller.ts';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import { type SortedQuery, sortedPage, sortedQuerySchema } from '../sorted-page.ts';
import { etagOf, ifMatchOf, notFound } from '../write-matching.ts';
import {
  changeRole,
  findMember,
  invite,
  listMembers,
  type MemberActor,
  type MemberPorts as MembersPorts,
  removeMember,
  viewMember,
} from './members.ts';
import type { OneAtATime } from './one-at-a-time.ts';
import { createReset } from './reset-link.ts';
import {
  invitationInputSchema,
  type MemberView,
  memberViewSchema,
  roleInputSchema,
  toInvitedView,
} from './schema.ts';

/** What the members' routes need. */
export type MemberPorts = MembersPorts & {
  /** Keeps writes to the members of one organization from racing each other. */
  readonly oneAtATime: OneAtATime;
};

const COMMON = { rule: { roles: ['owner', 'admin'] }, needs: 'session', tags: ['members'] } as const;
const MAX_BODY_BYTES = 1_048_576;

const EXAMPLE: MemberView = {
  id: 'mem_01k3w6v1q8z5m7r2c4x9t0b6ha',
  status: 'active',
  userId: 'usr_01k3w6v1q8z5m7r2c4x9t0b6hb',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'admin',
  expiresAt: null,
  createdAt: '2026-01-15T09:30:00.000Z',
};
const INVITED: MemberView = {
  id: 'inv_01k3w6v1q8z5m7r2c4x9t0b6hc',
  status: 'invited',
  userId: null,
  email: 'grace@example.com',
  name: null,
  role: 'member',
  expiresAt: '2026-01-22T09:30:00.000Z',
  createdAt: '2026-01-15T09:30:00.000Z',
};
const ONE = {
  schema: z.object({ success: z.literal(true), data: memberViewSchema }),
  example: { success: true, data: EXAMPLE },
};

const listRoute = defineRoute<MemberPorts, undefined, SortedQuery>({
  ...COMMON,
  operationId: 'listMembers',
  method: 'GET',
  path: '/v1/members',
  summary: 'List members',
  description:
    'Members of the organization, and invitations that wait to be accepted. `search` looks into addresses and names.',
  query: sortedQuerySchema(['createdAt', 'email']),
  success: {
    status: 200,
    schema: z.object({
      success: z.literal(true),
      data: z.array(memberViewSchema),
      nextCursor: z.string().optional().describe('Present when more follow.'),
    }),
    example: { success: true, data: [EXAMPLE, INVITED] },
  },
  errors: ['VALIDATION_ERROR'],
  async handler({ caller, query }, ports) {
    const members = await listMembers(ports, organizationOf(caller));
    const page = sortedPage(members, query, {
      searched: ({ email, name }) => [email, name ?? ''],
      columns: { createdAt: (member) => member.createdAt, email: (member) => member.email },
    });
    return { body: { success: true, ...page } };
  },
});

const inviteRoute = defineRoute<MemberPorts, z.output<typeof invitationInputSchema>>({
  ...COMMON,
  operationId: 'inviteMember',
  method: 'POST',
  path: '/v1/members',
  summary: 'Invite a member',
  description:
    'Only this answer holds the invitation token, as `data.token`; it may be accepted once, within seven days. Inviting an address again ends the earlier invitation. An invitation also ends when the member who made it may no longer give its role. Only an owner invites an owner.',
  body: {
    schema: invitationInputSchema,
    maxBytes: MAX_BODY_BYTES,
    example: { email: 'grace@example.com', role: 'member' },
  },
  success: {
    status: 201,
    schema: z.object({
      success: z.literal(true),
      data: memberViewSchema.extend({
        token: z.string().describe('The token with which the invited person accepts. It is shown only now.'),
      }),
    }),
    example: { success: true, data: { ...INVITED, token: '<shown once>' } },
    headers: { 'Cache-Control': '`private, no-store`: no cache may keep the token.' },
  },
  errors: ['VALIDATION_ERROR', 'CONFLICT'],
  audit: 'member.invite',
  async handler({ caller, body }, ports) {
    const actor = actorOf(caller);
    const { invitation, token } = await ports.oneAtATime(actor.organizationId, () =>
      invite(ports, actor, body),
    );
    return {
      body: { success: true, data: { ...toInvitedView(invitation), token } },
      headers: {
        'Cache-Control': 'private, no-store',
        Location: `/v1/members/${invitation.id}`,
        ETag: etagOf(invitation),
      },
      written: { targetId: invitation.id, fields: ['email', 'role'] },
    };
  },
});

const getRoute = defineRoute<MemberPorts>({
  ...COMMON,
  operationId: 'getMember',
  method: 'GET',
  path: '/v1/members/:id',
  summary: 'Read a member',
  description: 'One member or waiting invitation. `ETag` names its version.',
  success: { status: 200, ...ONE },
  errors: ['NOT_FOUND'],
  async handler({ caller, params }, ports) {
    const id = params.id ?? '';
    const organizationId = organizationOf(caller);
    const found = await findMember(ports, organizationId, id);
    if (!found) throw notFound('member', id);
    return { body: { success: true, data: found.view }, headers: { ETag: etagOf(found.stored) } };
  },
});

const changeRoute = defineRoute<MemberPorts, z.output<typeof roleInputSchema>>({
  ...COMMON,
  operationId: 'changeMember',
  method: 'PATCH',
  path: '/v1/members/:id',
  summary: 'Change the role of a member',
  description: 'The last owner stays owner. Only an owner makes or changes an owner.',
  body: { schema: roleInputSchema, maxBytes: MAX_BODY_BYTES, example: { role: 'viewer' } },
  success: { status: 200, ...ONE },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
  audit: 'member.change',
  async handler({ caller, body, params, headers }, ports) {
    const actor = actorOf(caller);
    const target = { id: params.id ?? '', ifMatch: ifMatchOf(headers) };
    const { document, changed } = await ports.oneAtATime(actor.organizationId, () =>
      changeRole(ports, actor, target, body.role),
    );
    return {
      body: { success: true, data: await viewMember(ports.documents, document) },
      headers: { ETag: etagOf(document) },
      written: changed ? { targetId: document.id, fields: ['role'] } : null,
    };
  },
});

const removeRoute = defineRoute<MemberPorts>({
  ...COMMON,
  operationId: 'removeMember',
  method: 'DELETE',
  path: '/v1/members/:id',
  summary: 'Remove a member',
  description:
    'Removes a member, or withdraws an invitation. The last owner stays. Only an owner removes an owner.',
  success: { status: 204, schema: z.undefined(), example: undefined },
  errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
  audit: 'member.remove',
  async handler({ caller, params, headers }, ports) {
    const actor = actorOf(caller);
    const id = params.id ?? '';
    await ports.oneAtATime(actor.organizationId, () =>
      removeMember(ports, actor, { id, ifMatch: ifMatchOf(headers) }),
    );
    return { written: { targetId: id } };
  },
});

const resetRoute = defineRoute<MemberPorts>({
  ...COMMON,
  operationId: 'resetMemberPassword',
  method: 'POST',
  path: '/v1/members/:id/reset',
  summary: 'Make a link that resets a password',
  description:
    'For a member who forgot the password. The answer holds a token as `data.token`, this once, by which `POST /v1/auth/reset` sets a new password within an hour, once. Another one for the same member voids it; so do a new password, a second organization of the member, and a role of either that would not allow it any more. Only for members who belong to this organization alone, never for oneself; only an owner makes one for an owner.',
  success: {
    status: 201,
    schema: z.object({
      success: z.literal(true),
      data: z.object({
        token: z.string().describe('What the member sets a new password with. It is shown this once.'),
        expiresAt: z.iso.datetime(),
      }),
    }),
    example: { success: true, data: { token: '<shown once>', expiresAt: '2026-01-15T10:30:00.000Z' } },
    headers: { 'Cache-Control': '`private, no-store`: the token stands in no cache.' },
  },
  errors: ['NOT_FOUND', 'CONFLICT'],
  audit: 'member.reset-password',
  async handler({ caller, params }, ports) {
    const actor = actorOf(caller);
    const id = params.id ?? '';
    const data = await ports.oneAtATime(actor.organizationId, () => createReset(ports, actor, id));
    return {
      body: { success: true, data },
      headers: { 'Cache-Control': 'private, no-store', Location: `/v1/members/${id}` },
      written: { targetId: id },
    };
  },
});

function actorOf(caller: Caller): MemberActor {
  return {
    organizationId: organizationOf(caller),
    userId: caller.userId ?? caller.id,
    role: caller.role,
  };
}

export const memberRoutes: readonly Route<MemberPorts>[] = [
  listRoute,
  inviteRoute,
  getRoute,
  changeRoute,
  removeRoute,
  resetRoute,
];
