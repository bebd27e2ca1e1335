/** Invites, changes and removes members of an organization; the last owner stays (contract.md section 7). */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { memberAccount } from '../../shared/accounts/accounts.ts';
import type { RandomBytes } from '../../shared/credentials/api-key-text.ts';
import { createOneTimeToken, hashOneTimeToken } from '../../shared/credentials/one-time-token.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import type { Invitation } from '../../shared/model/invitation.ts';
import type { Membership, Role } from '../../shared/model/user.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { boundReached, FIXED_BOUNDS } from '../document-bounds.ts';
import { removeOwned } from '../kept/owner.ts';
import { endSessions } from '../users/end-sessions.ts';
import { notFound, requireMatch, writeMatching } from '../write-matching.ts';
import { whileDeparting } from './departing-member.ts';
import { type MemberView, toInvitedView, toMemberView } from './schema.ts';
import { withdrawInvitations } from './withdraw-invitations.ts';

/** How long an invitation may be accepted: seven days, in milliseconds. */
const INVITATION_LIFE_MS = 7 * 86_400_000;
/** How many members are looked up before other requests get a turn. */
const MEMBERS_A_TURN = 20;

export interface MemberPorts {
  readonly documents: DocumentStore;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
}

/** The acting user: an owner may do everything here, an admin nothing that makes, changes or removes an owner. */
export interface MemberActor {
  readonly organizationId: string;
  readonly userId: string;
  readonly role: Role | null;
}

/** Members and pending invitations, as one list. */
export async function listMembers(
  { documents, clock }: Pick<MemberPorts, 'documents' | 'clock'>,
  organizationId: string,
): Promise<MemberView[]> {
  const members: MemberView[] = [];
  for (const membership of await documents.memberships.all(organizationId)) {
    members.push(await viewMember(documents, membership));
    // The store may answer synchronously: others get a turn in between.
    if (members.length % MEMBERS_A_TURN === 0) await nextTurn();
  }
  const invitations = await documents.invitations.all(organizationId);
  return [...members, ...invitations.filter((invitation) => waits(invitation, clock)).map(toInvitedView)];
}

/** One member or pending invitation by its identifier; null when there is none. */
export async function findMember(
  { documents, clock }: Pick<MemberPorts, 'documents' | 'clock'>,
  organizationId: string,
  id: string,
): Promise<{ readonly view: MemberView; readonly stored: Membership | Invitation } | null> {
  const membership = await documents.memberships.get(organizationId, id);
  if (membership) return { view: await viewMember(documents, membership), stored: membership };
  const invitation = await documents.invitations.get(organizationId, id);
  return invitation && waits(invitation, clock)
    ? { view: toInvitedView(invitation), stored: invitation }
    : null;
}

function requireRoom(members: number): void {
  const kind = 'members and invitations';
  if (members >= FIXED_BOUNDS[kind]) throw boundReached(kind, FIXED_BOUNDS[kind]);
}

export async function viewMember(documents: DocumentStore, membership: Membership): Promise<MemberView> {
  return toMemberView(membership, await documents.users.get(membership.userId, membership.userId));
}

/**
 * A new invitation with its token, shown only now. An earlier one for the same address ends, and long expired ones are
 * removed.
 * @throws ApiError CONFLICT when the address belongs to a member, and at the bound; ACCESS_DENIED for an admin who
 * invites an owner
 */
export async function invite(
  { documents, ids, clock, randomBytes }: MemberPorts,
  actor: MemberActor,
  { email, role }: { readonly email: string; readonly role: Role },
): Promise<{ readonly invitation: Invitation; readonly token: string }> {
  requireOwnerFor(actor, role);
  const { organizationId } = actor;
  if ((await memberAccount(documents, email, organizationId)) !== null) {
    throw new ApiError('CONFLICT', { text: `${email} is a member already.` });
  }
  const earlierOnes = await documents.invitations.all(organizationId);
  requireRoom(
    (await documents.memberships.all(organizationId)).length +
      earlierOnes.filter((invitation) => waits(invitation, clock) && invitation.email !== email).length,
  );
  for (const earlier of earlierOnes) {
    const endedMs = Date.parse(earlier.expiresAt) + INVITATION_LIFE_MS;
    if (earlier.acceptedAt === null && endedMs < clock.now()) {
      await documents.invitations.remove(organizationId, earlier.id);
      continue;
    }
    if (earlier.email !== email || earlier.acceptedAt !== null) continue;
    if (waits(earlier, clock)) requireOwnerFor(actor, earlier.role);
    await documents.invitations.remove(organizationId, earlier.id);
  }
  const token = createOneTimeToken(randomBytes);
  const invitation = await documents.invitations.insert({
    id: ids.create('inv'),
    organizationId,
    email,
    role,
    tokenHash: hashOneTimeToken(token),
    expiresAt: new Date(clock.now() + INVITATION_LIFE_MS).toISOString(),
    acceptedAt: null,
    createdBy: actor.userId,
  });
  return { invitation, token };
}

/** @throws ApiError NOT_FOUND, PRECONDITION_FAILED; ACCESS_DENIED for an admin; CONFLICT for the last owner */
export async function changeRole(
  ports: MemberPorts,
  actor: MemberActor,
  target: { readonly id: string; readonly ifMatch: string | undefined },
  role: Role,
): Promise<{ readonly document: Membership; readonly changed: boolean }> {
  const { documents } = ports;
  const { organizationId } = actor;
  const existing = await documents.memberships.get(organizationId, target.id);
  if (!existing) throw notFound('member', target.id);
  requireMatch(target.ifMatch, existing);
  requireOwnerFor(actor, existing.role, role);
  if (existing.role === role) return { document: existing, changed: false };

  const isDeparture = existing.role === 'owner';
  const write = () =>
    writeMatching(documents.memberships, {
      ...target,
      organizationId,
      kind: 'member',
      changesOf(current: Membership) {
        requireOwnerFor(actor, current.role, role);
        if (current.role === role) return null;
        // It became an owner after the read above: nobody has made sure that another owner stays.
        if (current.role === 'owner' && !isDeparture) throw changedMeanwhile(target.id);
        return { role };
      },
    });
  const written = isDeparture
    ? await whileDeparting(ports, { organizationId, membershipId: target.id }, write)
    : await write();
  await withdrawInvitations(documents, organizationId, written.document);
  return written;
}

/**
 * Removes a member, whose sessions in and invitations to the organization end and whose own saved views and annotations go,
 * or withdraws an invitation.
 * @throws ApiError as {@link changeRole}
 */
export async function removeMember(
  ports: MemberPorts,
  actor: MemberActor,
  { id, ifMatch }: { readonly id: string; readonly ifMatch: string | undefined },
): Promise<void> {
  const { documents, clock } = ports;
  const { organizationId } = actor;
  const membership = await documents.memberships.get(organizationId, id);
  if (membership) {
    requireMatch(ifMatch, membership);
    requireOwnerFor(actor, membership.role);
    // Whatever the member's role: while marked, nobody counts on this member becoming an owner.
    const removed = await whileDeparting(ports, { organizationId, membershipId: id }, () =>
      documents.memberships.remove(organizationId, id),
    );
    if (!removed) throw notFound('member', id);
    await withdrawInvitations(documents, organizationId, { userId: membership.userId, role: null });
    await endSessions(documents, membership.userId, organizationId);
    await documents.passwordResets.remove(organizationId, id);
    await removeOwned(documents, organizationId, membership.userId);
    await removeAccountOf(documents, membership);
    return;
  }
  const invitation = await documents.invitations.get(organizationId, id);
  if (!invitation || !waits(invitation, clock)) throw notFound('member', id);
  requireMatch(ifMatch, invitation);
  requireOwnerFor(actor, invitation.role);
  await documents.invitations.remove(organizationId, id);
}

/** An account that its invitation made belonged to this organization alone; another invitation makes a new one. */
async function removeAccountOf(
  documents: DocumentStore,
  { organizationId, userId }: Membership,
): Promise<void> {
  const account = await documents.users.get(userId, userId);
  if (account?.home !== organizationId || (await documents.membershipsOf(userId)).length > 0) return;
  await endSessions(documents, userId, null);
  await documents.users.remove(userId, userId);
}

function waits({ acceptedAt, expiresAt }: Invitation, clock: Clock): boolean {
  return acceptedAt === null && Date.parse(expiresAt) > clock.now();
}

function requireOwnerFor(actor: MemberActor, ...roles: readonly Role[]): void {
  if (actor.role === 'owner' || !roles.includes('owner')) return;
  throw new ApiError('ACCESS_DENIED', { text: 'Only an owner may make, change or remove an owner.' });
}

export function changedMeanwhile(id: string): ApiError {
  return new ApiError('CONFLICT', {
    text: `The member "${id}" is being changed by somebody else; try again.`,
  });
}
