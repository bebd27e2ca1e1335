/** Makes the one-time token by which a member gets a new password without the old one (docs/sessions.md). */
import { mayGive } from '../../shared/access/given-roles.ts';
import { belongsThereAlone, tagOfPassword } from '../../shared/accounts/password-resets.ts';
import { createOneTimeToken, hashOneTimeToken } from '../../shared/credentials/one-time-token.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import type { Membership, User } from '../../shared/model/user.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { DuplicateError } from '../../shared/ports/document-store.ts';
import { notFound } from '../write-matching.ts';
import { changedMeanwhile, type MemberActor, type MemberPorts } from './members.ts';

/** How long it may be used: one hour, in milliseconds. */
const RESET_LIFE_MS = 3_600_000;
/** How often the write is tried again when somebody else was faster. */
const MAX_TRIES = 5;

export interface MadeReset {
  /** Shown this once. */
  readonly token: string;
  readonly expiresAt: string;
}

/**
 * A token for the member; the one before it is void, and those of the organization that expired go.
 * @throws ApiError NOT_FOUND for an invitation too, ACCESS_DENIED for who may not, CONFLICT when others keep being faster
 */
export async function createReset(
  { documents, clock, randomBytes }: Pick<MemberPorts, 'documents' | 'clock' | 'randomBytes'>,
  actor: MemberActor,
  membershipId: string,
): Promise<MadeReset> {
  const { organizationId } = actor;
  const membership = await documents.memberships.get(organizationId, membershipId);
  const user = membership && (await documents.users.get(membership.userId, membership.userId));
  if (!membership || !user) throw notFound('member', membershipId);
  await requireAllowed(documents, actor, membership, user);
  const nowMs = clock.now();
  await removeExpired(documents, organizationId, nowMs);
  const token = createOneTimeToken(randomBytes);
  const expiresAt = new Date(nowMs + RESET_LIFE_MS).toISOString();
  const reset = { tokenHash: hashOneTimeToken(token), replaces: tagOfPassword(user), expiresAt };
  const fields = { ...reset, userId: user.id, spentAt: null, createdBy: actor.userId };
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const earlier = await documents.passwordResets.get(organizationId, membershipId);
    if (earlier === null) {
      try {
        await documents.passwordResets.insert({ id: membershipId, organizationId, ...fields });
        return { token, expiresAt };
      } catch (fault) {
        if (!(fault instanceof DuplicateError)) throw fault;
      }
    } else if (await documents.passwordResets.update(organizationId, membershipId, earlier.version, fields)) {
      return { token, expiresAt };
    }
  }
  throw changedMeanwhile(membershipId);
}

async function requireAllowed(
  documents: DocumentStore,
  actor: MemberActor,
  membership: Membership,
  user: User,
): Promise<void> {
  const { id: userId } = user;
  if (userId === actor.userId) {
    // Else a session alone, such as one left open, would be worth the account.
    throw new ApiError('ACCESS_DENIED', {
      text: 'Nobody resets their own password: change it with POST /v1/auth/password, or ask another owner or admin.',
    });
  }
  if (user.isOperator === true) {
    throw new ApiError('ACCESS_DENIED', {
      text: 'This member runs the service, and whoever runs it resets the password by `tidegate users reset-password`.',
    });
  }
  if (!mayGive(actor.role, membership.role)) {
    throw new ApiError('ACCESS_DENIED', { text: 'Only an owner may reset the password of an owner.' });
  }
  if (await belongsThereAlone(documents, userId, membership.id)) return;
  throw new ApiError('ACCESS_DENIED', {
    text: 'This member belongs to other organizations too, whose members do not decide here: whoever runs the service resets the password by `tidegate users reset-password`.',
  });
}

async function removeExpired(documents: DocumentStore, organizationId: string, nowMs: number): Promise<void> {
  for (const { id, expiresAt } of await documents.passwordResets.all(organizationId)) {
    if (Date.parse(expiresAt) <= nowMs) await documents.passwordResets.remove(organizationId, id);
  }
}
