/**
 * Remembers the last password that the file gave a user, as argon2id text, so that a password changed since then is
 * never overwritten (contract.md section 8).
 */
import { accountsOf, isProven, memberAccount } from '../../shared/accounts/accounts.ts';
import { hashPassword, verifyPassword } from '../../shared/credentials/password.ts';
import type { User } from '../../shared/model/user.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { ProvisionedUser } from './provisioning-file.ts';
import { recordApplied } from './record-applied.ts';

/** The account that the file means: an existing member of the organization, else the one that counts everywhere. */
export async function provisionedAccount(
  documents: DocumentStore,
  organizationId: string,
  { email }: ProvisionedUser,
): Promise<User | null> {
  const member = await memberAccount(documents, email, organizationId);
  return member ?? (await accountsOf(documents, email)).find(isProven) ?? null;
}

/** Whether the file still names the password that it gave last; also true when the user, and so the password, is gone. */
export async function isAppliedPassword(
  documents: DocumentStore,
  organizationId: string,
  fields: ProvisionedUser,
): Promise<boolean> {
  const user = await provisionedAccount(documents, organizationId, fields);
  return !user || isSame(await lastApplied(documents, user), fields);
}

/**
 * Whether the file may make `user` a member: it set the user's current password, or names it. Anybody may hold the
 * account of an unproven address, so the operator's file must not admit an account with another password.
 */
export async function mayJoin(
  documents: DocumentStore,
  user: User,
  fields: ProvisionedUser,
): Promise<boolean> {
  if ((await lastApplied(documents, user)) === user.passwordHash) return true;
  return isSame(user.passwordHash, fields);
}

/** The argon2id text of the password that the file names. */
export async function passwordHashOf(fields: ProvisionedUser): Promise<string> {
  return fields.passwordHash ?? hashPassword(fields.password ?? '');
}

/**
 * What the file does to the password of an existing user: `write` it; leave it (`same`); leave it although the file
 * names another one (`kept`), because somebody changed it since; or finish a write that was not recorded when the
 * process ended (`written`).
 */
export async function passwordVerdict(
  documents: DocumentStore,
  user: User,
  fields: ProvisionedUser,
): Promise<'write' | 'written' | 'same' | 'kept'> {
  const last = await lastApplied(documents, user);
  if (await isSame(last, fields)) return 'same';
  if (last === user.passwordHash) return 'write';
  return (await isSame(user.passwordHash, fields)) ? 'written' : 'kept';
}

/** Remembers `passwordHash` as the last one named by the file. */
export async function recordPassword(
  documents: DocumentStore,
  user: User,
  passwordHash: string,
): Promise<void> {
  await recordApplied(documents, user.id, recordId(user), passwordHash);
}

async function lastApplied(documents: DocumentStore, user: User): Promise<string | undefined> {
  return (await documents.provisionedEntries.get(user.organizationId, recordId(user)))?.textHash;
}

async function isSame(last: string | undefined, fields: ProvisionedUser): Promise<boolean> {
  if (last === undefined) return false;
  if (fields.passwordHash !== undefined) return fields.passwordHash === last;
  return verifyPassword(last, fields.password ?? '');
}

function recordId(user: User): string {
  return `password/${user.id}`;
}
