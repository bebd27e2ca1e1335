/** The faults of a provisioning file that depend on the store, found before anything is written. */
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { mayJoin, provisionedAccount } from './applied-password.ts';
import { flagFaults } from './flag-faults.ts';
import type { PlannedEntry } from './planned-entry.ts';
import type { UnplacedFault } from './provisioning-fault.ts';

/**
 * Identifiers that belong to another organization, unique values that another document holds, and new memberships for
 * existing users whose password the file neither set nor names.
 */
export async function storeFaults(
  documents: DocumentStore,
  changed: readonly PlannedEntry[],
): Promise<UnplacedFault[]> {
  const faults = await Promise.all(changed.map((entry) => faultsOf(documents, entry)));
  return [...faults.flat(), ...(await flagFaults(documents, changed))];
}

async function faultsOf(documents: DocumentStore, entry: PlannedEntry): Promise<UnplacedFault[]> {
  if (entry.kind === 'user') return userFaults(documents, entry);
  if (entry.kind === 'organization' || entry.kind === 'flag') return [];
  if (entry.kind === 'link') return linkFaults(documents, entry);
  const { organizationId, path, fields } = entry;
  const collection = entry.kind === 'website' ? documents.websites : documents.apiKeys;
  const holder = await collection.findUnique('id', [fields.id]);
  const faults: UnplacedFault[] = [];
  if (holder && holder.organizationId !== organizationId) {
    const came = entry.kind === 'website' ? `"${fields.id}", which` : 'one that';
    const message = `came ${came} belongs to another organization; allowed: an identifier of its own`;
    faults.push({ path: [...path, 'id'], message });
  }
  if (entry.kind === 'website') {
    const { domain } = entry.fields;
    const other = await documents.websites.findUnique('organizationDomain', [organizationId, domain]);
    if (other && other.id !== fields.id) {
      const message = `came "${domain}", which the website ${other.id} has; allowed: one website per domain`;
      faults.push({ path: [...path, 'domain'], message });
    }
  } else {
    const other = await documents.apiKeys.findUnique('keyHash', [entry.fields.keyHash]);
    // A rotated-out secret must not return as another key.
    const rotated = await documents.apiKeys.findUnique('previousKeyHash', [entry.fields.keyHash]);
    if ((other && other.id !== fields.id) || (rotated && rotated.id !== fields.id)) {
      const field = entry.fields.key === undefined ? 'keyHash' : 'key';
      const message = 'came a key that exists under another identifier; allowed: one use';
      faults.push({ path: [...path, field], message });
    }
  }
  return faults;
}

/** Texts do not reveal whose the other link is. */
async function linkFaults(
  documents: DocumentStore,
  { organizationId, path, fields }: Extract<PlannedEntry, { kind: 'link' }>,
): Promise<UnplacedFault[]> {
  const faults: UnplacedFault[] = [];
  const holder = await documents.links.findUnique('id', [fields.id]);
  if (holder && holder.organizationId !== organizationId) {
    const message = `came "${fields.id}", which belongs to another organization; allowed: an identifier of its own`;
    faults.push({ path: [...path, 'id'], message });
  }
  const other = await documents.links.findUnique('slug', [fields.slug]);
  if (other && other.id !== fields.id) {
    const message = `came "${fields.slug}", which another link has; allowed: a slug of its own`;
    faults.push({ path: [...path, 'slug'], message });
  }
  return faults;
}

async function userFaults(
  documents: DocumentStore,
  { organizationId, path, fields }: Extract<PlannedEntry, { kind: 'user' }>,
): Promise<UnplacedFault[]> {
  const user = await provisionedAccount(documents, organizationId, fields);
  if (!user) return [];
  if (await documents.memberships.findUnique('organizationUser', [organizationId, user.id])) return [];
  if (await mayJoin(documents, user, fields)) return [];
  const field = fields.password === undefined ? 'passwordHash' : 'password';
  const message = `came another one than ${fields.email} has, a user that exists and is no member of ${organizationId}; allowed: the one it has, or make it a member before with "tidegate users create --existing"`;
  return [{ path: [...path, field], message }];
}
