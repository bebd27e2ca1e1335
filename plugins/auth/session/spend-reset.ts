/** Spends the token of a reset: of any number of uses at a time one alone sets the password, and none that is void. */
import { stillStands, tagOfPassword } from '../../../services/shared/accounts/password-resets.ts';
import { hashOneTimeToken } from '../../../services/shared/credentials/one-time-token.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import type { PasswordReset } from '../../../services/shared/model/password-reset.ts';
import type { User } from '../../../services/shared/model/user.ts';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import type { Sessions } from './sessions.ts';

/** How often a write is tried again when somebody else was faster. */
const MAX_TRIES = 5;

export interface ResetPorts {
  readonly documents: DocumentStore;
  readonly clock: Clock;
  readonly sessions: Pick<Sessions, 'endOthers'>;
}

/** The reset of a token while it may be used; why it may not is nobody's business. @throws ApiError NOT_FOUND */
export async function openReset({ documents, clock }: ResetPorts, token: string): Promise<PasswordReset> {
  const reset = await documents.passwordResets.findUnique('tokenHash', [hashOneTimeToken(token)]);
  if (reset === null || reset.spentAt !== null) throw unknown();
  if (Date.parse(reset.expiresAt) <= clock.now()) throw unknown();
  await userOf(documents, reset);
  return reset;
}

/**
 * Sets the password and ends every session of the user. The token is spent before the work, so that of two uses one wins; a
 * fault of the store gives it back.
 * @throws ApiError NOT_FOUND when it was spent or became void since it was opened
 */
export async function spendReset(
  ports: ResetPorts,
  reset: PasswordReset,
  passwordHash: string,
): Promise<void> {
  const { passwordResets } = ports.documents;
  const { id, organizationId, version } = reset;
  const spentAt = new Date(ports.clock.now()).toISOString();
  const spent = await passwordResets.update(organizationId, id, version, { spentAt });
  if (spent === null) throw unknown();
  try {
    await replacePassword(ports, reset, passwordHash);
  } catch (fault) {
    const isVoid = fault instanceof ApiError && fault.kind === 'NOT_FOUND';
    if (!isVoid) await passwordResets.update(organizationId, id, spent.version, { spentAt: null });
    throw fault;
  }
}

/**
 * Whoever joins another organization meanwhile does so with a session: those are ended before the memberships are read
 * again, and an acceptance asks for its session after it wrote one. So either that fails, or this is undone.
 */
async function replacePassword(
  { documents, sessions }: ResetPorts,
  reset: PasswordReset,
  passwordHash: string,
): Promise<void> {
  const { userId } = reset;
  await userOf(documents, reset);
  // Before the password too: whatever fails from here on, no session of before goes on with the old one.
  await sessions.endOthers(userId, null);
  const before = await write(documents, passwordHash, () => userOf(documents, reset));
  await sessions.endOthers(userId, null);
  if (await stillStands(documents, reset)) return;
  await write(documents, before.passwordHash, async () => {
    const user = await documents.users.get(userId, userId);
    if (user?.passwordHash !== passwordHash) throw unknown();
    return user;
  });
  // Those that began with it in between.
  await sessions.endOthers(userId, null);
  throw unknown();
}

/** The user whose password it replaces. @throws ApiError NOT_FOUND when it is void */
async function userOf(documents: DocumentStore, reset: PasswordReset): Promise<User> {
  const { organizationId, userId, replaces } = reset;
  const organization = await documents.organizations.get(organizationId, organizationId);
  const user = await documents.users.get(userId, userId);
  if (organization === null || user === null || tagOfPassword(user) !== replaces) throw unknown();
  if (!(await stillStands(documents, reset))) throw unknown();
  return user;
}

/** Writes a password over that of the user that `read` gives, again when others were faster; the user before. */
async function write(
  { users }: Pick<DocumentStore, 'users'>,
  passwordHash: string,
  read: () => Promise<User>,
): Promise<User> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const user = await read();
    if (await users.update(user.id, user.id, user.version, { passwordHash })) return user;
  }
  throw new ApiError('SERVICE_UNAVAILABLE', {
    text: 'This user is being changed by many requests at once; try again.',
  });
}

function unknown(): ApiError {
  return new ApiError('NOT_FOUND', { text: 'This reset link is unknown, used or expired.' });
}
