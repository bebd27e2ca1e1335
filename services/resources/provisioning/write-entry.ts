/** Writes one entry of the provisioning file into the store; what the API locked stays locked. */
import { isProven, prove } from '../../shared/accounts/accounts.ts';
import { describeApiKey } from '../../shared/credentials/api-key-text.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import type { ApiKey } from '../../shared/model/api-key.ts';
import type { Stored } from '../../shared/model/stored.ts';
import { EVERYWHERE, type User } from '../../shared/model/user.ts';
import type { Changes, Collection, DocumentStore, NewDocument } from '../../shared/ports/document-store.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { newFlagFields } from '../flags/judge-flag.ts';
import { storedFields } from '../links/schema.ts';
import { withdrawInvitations } from '../members/withdraw-invitations.ts';
import { endSessions } from '../users/end-sessions.ts';
import {
  mayJoin,
  passwordHashOf,
  passwordVerdict,
  provisionedAccount,
  recordPassword,
} from './applied-password.ts';
import type { PlannedEntry } from './planned-entry.ts';
import { recordApplied } from './record-applied.ts';

export interface WritePorts {
  readonly documents: DocumentStore;
  readonly ids: Ids;
}
type EntryOf<Kind extends PlannedEntry['kind']> = Extract<PlannedEntry, { kind: Kind }>;

/** How often an update is retried when another writer was faster. */
const MAX_TRIES = 5;

/** Writes the entry, then its record; returns notes for the operator. */
export async function writeEntry(ports: WritePorts, entry: PlannedEntry): Promise<string[]> {
  const warnings = await write(ports, entry);
  await recordApplied(ports.documents, entry.organizationId, entry.entryId, entry.textHash);
  return warnings;
}

async function write(ports: WritePorts, entry: PlannedEntry): Promise<string[]> {
  switch (entry.kind) {
    case 'organization':
      return writeOrganization(ports, entry);
    case 'website':
      return writeWebsite(ports, entry);
    case 'link':
      return writeLink(ports, entry);
    case 'user':
      return writeUser(ports, entry);
    case 'apiKey':
      return writeApiKey(ports, entry);
    case 'flag':
      return writeFlag(ports, entry);
  }
}

async function writeOrganization(
  { documents }: WritePorts,
  entry: EntryOf<'organization'>,
): Promise<string[]> {
  const { id, name, plan, limits = {}, retentionDays } = entry.fields;
  // Days that the file does not name stay: removing them would delete events for good.
  const changes = { name, plan, limits, ...(retentionDays === undefined ? {} : { retentionDays }) };
  await upsert(documents.organizations, { id, organizationId: id, ...changes }, () => changes);
  return [];
}

async function writeWebsite({ documents }: WritePorts, entry: EntryOf<'website'>): Promise<string[]> {
  const { id, name, domain, isPublic = false, settings = {} } = entry.fields;
  const changes = { name, domain, isPublic, settings };
  await upsert(documents.websites, { id, organizationId: entry.organizationId, ...changes }, () => changes);
  return [];
}

async function writeLink({ documents }: WritePorts, entry: EntryOf<'link'>): Promise<string[]> {
  const { id, slug, websiteId = null, ...fields } = entry.fields;
  const changes = { slug, websiteId, ...storedFields(fields) };
  const { organizationId } = entry;
  await upsert(documents.links, { id, organizationId, ...changes, createdBy: 'provisioning' }, () => changes);
  return [];
}

async function writeUser({ documents, ids }: WritePorts, entry: EntryOf<'user'>): Promise<string[]> {
  const { fields, organizationId } = entry;
  const warnings: string[] = [];
  let user = await provisionedAccount(documents, organizationId, fields);
  const membership =
    user && (await documents.memberships.findUnique('organizationUser', [organizationId, user.id]));
  // The faults of the file were checked before: this user came since.
  if (user && !membership && !(await mayJoin(documents, user, fields))) {
    throw conflict(`the user ${fields.email}`);
  }
  if (!user) {
    const id = ids.create('usr');
    const passwordHash = await passwordHashOf(fields);
    const { email } = fields;
    user = await documents.users.insert({ id, organizationId: id, email, home: EVERYWHERE, passwordHash });
    await recordPassword(documents, user, passwordHash);
    warnings.push(...(await writeOperator(documents, user, fields)));
  } else {
    const verdict = await passwordVerdict(documents, user, fields);
    if (verdict !== 'same') {
      const passwordHash = verdict === 'written' ? user.passwordHash : await passwordHashOf(fields);
      if (verdict === 'write') {
        // Compare-and-set with the version that was checked: a password changed in between wins.
        const written = await documents.users.update(user.id, user.id, user.version, { passwordHash });
        if (!written) throw conflict(`the user ${fields.email}`);
      } else if (verdict === 'kept') {
        warnings.push(`the password of ${fields.email} was not set by this file and stays`);
      }
      if (verdict !== 'kept') await endSessions(documents, user.id, null);
      await recordPassword(documents, user, passwordHash);
      // An account with another password than the file's may be anybody's.
      if (verdict !== 'kept') await prove(documents, user);
    }
    const now = (await documents.users.get(user.id, user.id)) ?? user;
    warnings.push(...(await writeOperator(documents, now, fields)));
  }
  const { role } = fields;
  const id = membership?.id ?? ids.create('mem');
  await upsert(documents.memberships, { id, organizationId, userId: user.id, role }, () => ({ role }));
  await withdrawInvitations(documents, organizationId, { userId: user.id, role });
  return warnings;
}

/** Makes the user an operator, or none any more, if the file says so; returns warnings. */
async function writeOperator(
  documents: WritePorts['documents'],
  user: User,
  { email, operator }: EntryOf<'user'>['fields'],
): Promise<string[]> {
  if (operator === undefined || operator === (user.isOperator === true)) return [];
  // An account that only an invitation made may be anybody's.
  if (operator && !isProven(user)) return [`${email} is not proven and does not become an operator`];
  const written = await documents.users.update(user.id, user.id, user.version, { isOperator: operator });
  if (!written) throw conflict(`the user ${email}`);
  return [];
}

async function writeApiKey({ documents }: WritePorts, entry: EntryOf<'apiKey'>): Promise<string[]> {
  const { fields, organizationId } = entry;
  const { id, name, keyHash, scopes, access, expiresAt = null, revokedAt = null, enabled = true } = fields;
  const secretId = `secret/${organizationId}/${id}`;
  const lastHash = (await documents.provisionedEntries.get(organizationId, secretId))?.textHash;
  const described = fields.key === undefined ? { start: '', last4: '' } : describeApiKey(fields.key);
  const own = { name, scopes, access, expiresAt };
  const warnings: string[] = [];
  await upsert(
    documents.apiKeys,
    {
      ...{ id, organizationId, ...own, keyHash, ...described, revokedAt, enabled },
      createdBy: 'provisioning',
      previousKeyHash: null,
      previousValidUntil: null,
    },
    (existing) => {
      warnings.length = 0;
      if (existing.revokedAt && !revokedAt) warnings.push(`the API key ${id} is revoked and stays revoked`);
      if (!existing.enabled && enabled) warnings.push(`the API key ${id} is disabled and stays disabled`);
      const secret = secretChanges(existing, { keyHash, ...described }, lastHash);
      if (secret === 'kept')
        warnings.push(`the secret of the API key ${id} was not set by this file and stays`);
      const locked = { revokedAt: existing.revokedAt ?? revokedAt, enabled: existing.enabled && enabled };
      return { ...own, ...locked, ...(secret === 'kept' ? {} : secret) };
    },
  );
  await recordApplied(documents, organizationId, secretId, keyHash);
  return warnings;
}

async function writeFlag({ documents }: WritePorts, entry: EntryOf<'flag'>): Promise<string[]> {
  const { id, key, websiteId = null, ...asked } = entry.fields;
  const { organizationId } = entry;
  const changes = newFlagFields({ key }, asked);
  const place = { id, organizationId, key, websiteId, scopeId: websiteId ?? organizationId };
  await upsert(documents.flags, { ...place, ...changes, createdBy: 'provisioning' }, () => changes);
  return [];
}

/** A secret that was rotated since the file named the last one is never restored. */
function secretChanges(
  existing: ApiKey,
  wanted: Pick<ApiKey, 'keyHash' | 'start' | 'last4'>,
  lastHash: string | undefined,
): Changes<ApiKey> | 'kept' {
  if (existing.keyHash === wanted.keyHash) return wanted.start === '' ? {} : wanted;
  if (existing.keyHash === lastHash) return wanted;
  return wanted.keyHash === lastHash ? {} : 'kept';
}

/** Inserts the document or, if its identifier exists, updates it with the result of `changesOf`. */
async function upsert<T extends Stored>(
  collection: Collection<T>,
  document: NewDocument<T>,
  changesOf: (existing: T) => Changes<T>,
): Promise<void> {
  const { organizationId, id } = document as Pick<Stored, 'organizationId' | 'id'>;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const existing = await collection.get(organizationId, id);
    if (!existing) {
      await collection.insert(document);
      return;
    }
    if (await collection.update(organizationId, id, existing.version, changesOf(existing))) return;
  }
  throw conflict(id);
}

function conflict(what: string): ApiError {
  return new ApiError('CONFLICT', { text: `${what} is being changed by somebody else.` });
}
