/** Which entries of a provisioning file must be applied: those whose text changed since they were last applied. */
import { createHash } from 'node:crypto';
import { hashApiKey } from '../../shared/credentials/api-key-text.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { isAppliedPassword } from './applied-password.ts';
import type { FaultPath } from './provisioning-fault.ts';
import type {
  ProvisionedApiKey,
  ProvisionedFlag,
  ProvisionedLink,
  ProvisionedOrganization,
  ProvisionedUser,
  ProvisionedWebsite,
  Provisioning,
} from './provisioning-file.ts';

interface Planned<Kind extends string, Fields> {
  readonly kind: Kind;
  readonly organizationId: string;
  /** Identifier of the entry's record in `provisionedEntries`. */
  readonly entryId: string;
  readonly textHash: string;
  readonly fields: Fields;
  readonly path: FaultPath;
}
export type PlannedEntry =
  | Planned<'organization', ProvisionedOrganization>
  | Planned<'website', ProvisionedWebsite>
  | Planned<'link', ProvisionedLink>
  | Planned<'user', ProvisionedUser>
  | Planned<'apiKey', ProvisionedApiKey & { readonly keyHash: string }>
  | Planned<'flag', ProvisionedFlag>;

export interface ProvisioningPlan {
  /** Entries to apply, ordered so that each finds what it refers to. */
  readonly changed: readonly PlannedEntry[];
  readonly unchanged: readonly PlannedEntry[];
  /** Records of entries that the file no longer has, such as `website/org_one/web_shop`. */
  readonly disappeared: readonly string[];
}

/** Compares the file with what was applied last. Only reads. */
export async function planProvisioning(
  documents: DocumentStore,
  provisioning: Provisioning,
): Promise<ProvisioningPlan> {
  const entries = provisioning.organizations.flatMap(entriesOf);
  const recorded = await recordedHashes(documents, provisioning);
  const verdicts = await Promise.all(
    entries.map(async (entry) => {
      if (recorded.get(entry.entryId) !== entry.textHash) return true;
      if (entry.kind === 'organization')
        return !(await documents.organizations.get(entry.organizationId, entry.fields.id));
      return (
        entry.kind === 'user' && !(await isAppliedPassword(documents, entry.organizationId, entry.fields))
      );
    }),
  );
  const current = new Set(entries.map((entry) => entry.entryId));
  return {
    changed: entries.filter((_, i) => verdicts[i]),
    unchanged: entries.filter((_, i) => !verdicts[i]),
    disappeared: [...recorded.keys()].filter((id) => !current.has(id)),
  };
}

function entriesOf(organization: ProvisionedOrganization, i: number): PlannedEntry[] {
  const { users = [], websites = [], apiKeys = [], links = [], flags = [], ...own } = organization;
  const organizationId = organization.id;
  const path = ['organizations', i];
  const entryId = (kind: string, id: string) => `${kind}/${organizationId}/${id}`;
  return [
    {
      kind: 'organization',
      organizationId,
      entryId: entryId('organization', organization.id),
      textHash: textHashOf(own),
      fields: organization,
      path,
    },
    ...websites.map(
      (fields, j): PlannedEntry => ({
        kind: 'website',
        organizationId,
        entryId: entryId('website', fields.id),
        textHash: textHashOf(fields),
        fields,
        path: [...path, 'websites', j],
      }),
    ),
    ...links.map(
      (fields, j): PlannedEntry => ({
        kind: 'link',
        organizationId,
        entryId: entryId('link', fields.id),
        textHash: textHashOf(fields),
        fields,
        path: [...path, 'links', j],
      }),
    ),
    ...users.map((fields, j): PlannedEntry => {
      // A fast hash of a password would be easier to guess than its argon2id text, so it is not part of the text.
      const { password, passwordHash, ...text } = fields;
      return {
        kind: 'user',
        organizationId,
        entryId: entryId('user', fields.email),
        textHash: textHashOf(text),
        fields,
        path: [...path, 'users', j],
      };
    }),
    ...apiKeys.map(({ key, ...fields }, j): PlannedEntry => {
      const keyHash = fields.keyHash ?? hashApiKey(key ?? '');
      return {
        kind: 'apiKey',
        organizationId,
        entryId: entryId('apiKey', fields.id),
        textHash: textHashOf({ ...fields, keyHash }),
        fields: { ...fields, key, keyHash },
        path: [...path, 'apiKeys', j],
      };
    }),
    ...flags.map(
      (fields, j): PlannedEntry => ({
        kind: 'flag',
        organizationId,
        entryId: entryId('flag', fields.id),
        textHash: textHashOf(fields),
        fields,
        path: [...path, 'flags', j],
      }),
    ),
  ];
}

/** What was applied last, for the organizations in the file and those that left it. */
async function recordedHashes(
  documents: DocumentStore,
  provisioning: Provisioning,
): Promise<Map<string, string>> {
  const stored = await documents.allOrganizations();
  const ids = new Set([...provisioning.organizations, ...stored].map((organization) => organization.id));
  const recorded = new Map<string, string>();
  for (const id of ids) {
    for (const entry of await documents.provisionedEntries.all(id)) recorded.set(entry.id, entry.textHash);
  }
  return recorded;
}

/** SHA-256 of the canonical JSON: the order of keys does not matter. */
function textHashOf(fields: unknown): string {
  const canonical = JSON.stringify(fields, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(canonical).digest('hex');
}
