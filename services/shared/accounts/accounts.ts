/** The accounts of one email: which one counts where, and how one comes to count everywhere (docs/sessions.md). */
import { EVERYWHERE, type User } from '../model/user.ts';
import { type DocumentStore, DuplicateError } from '../ports/document-store.ts';

type Documents = Pick<DocumentStore, 'users' | 'usersOf' | 'memberships'>;

/** How often a write is retried when another writer was faster. */
const MAX_TRIES = 5;

/** Every account of an email, in lower case: the proven one first, then the oldest first. */
export async function accountsOf(documents: Pick<DocumentStore, 'usersOf'>, email: string): Promise<User[]> {
  const accounts = await documents.usersOf(email);
  return [...accounts.filter(isProven), ...accounts.filter((account) => !isProven(account))];
}

/** Whether every organization may trust the account. */
export function isProven({ home }: Pick<User, 'home'>): boolean {
  return home === EVERYWHERE;
}

/** The account of this email that is a member of the organization; null when there is none. */
export async function memberAccount(
  documents: Documents,
  email: string,
  organizationId: string,
): Promise<User | null> {
  for (const account of await accountsOf(documents, email)) {
    const membership = await documents.memberships.findUnique('organizationUser', [
      organizationId,
      account.id,
    ]);
    if (membership !== null) return account;
  }
  return null;
}

/**
 * Makes the account count everywhere, not only in the organization whose invitation made it. If another account of its
 * email already does, that one keeps the role, and this account no longer belongs to one organization alone.
 */
export async function prove(documents: Pick<DocumentStore, 'users'>, account: User): Promise<void> {
  let current: User | null = account;
  let home = EVERYWHERE;
  for (let tries = 0; tries < MAX_TRIES && current !== null; tries++) {
    if (isProven(current) || current.home === current.id) return;
    try {
      if (await documents.users.update(current.id, current.id, current.version, { home })) return;
    } catch (fault) {
      if (!(fault instanceof DuplicateError)) throw fault;
      home = current.id;
    }
    current = await documents.users.get(current.id, current.id);
  }
  throw new Error(`the account ${account.id} is being changed by others all the time`);
}
