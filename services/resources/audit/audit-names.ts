/** The names behind the identifiers in audit records: who acted and what was acted on, as far as what there is today tells. */
import { z } from 'zod';
import type { ApiKey } from '../../shared/model/api-key.ts';
import type { AuditRecord } from '../../shared/model/audit-record.ts';
import type { CollectionName } from '../../shared/model/collection-types.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { listMembers } from '../members/members.ts';

/** The newest keys that are named in any case, so that a reader can choose among them; as many as a list answers at once. */
const NEWEST_KEYS = 100;

/**
 * What records tell of by the beginning of their actions, and may name: everybody who reads the audit may read it. Saved views may be
 * somebody's own, and are not named.
 */
const COLLECTION_OF = {
  website: 'websites',
  link: 'links',
  flag: 'flags',
  'target-group': 'targetGroups',
  goal: 'goals',
  funnel: 'funnels',
  share: 'shares',
} as const satisfies Readonly<Record<string, CollectionName>>;
type Target = keyof typeof COLLECTION_OF;
const TARGETS = Object.keys(COLLECTION_OF) as Target[];

export const auditNameSchema = z
  .object({
    id: z.string(),
    kind: z
      .enum(['user', 'member', 'key', ...TARGETS])
      .describe('`user` and `key` act; the others, and a `member` or invitation, are acted on.'),
    name: z.string().describe('The name, or the email of somebody who has none.'),
  })
  .meta({ title: 'AuditName' });
export type AuditName = z.infer<typeof auditNameSchema>;

/** The members, the invitations that wait, the newest keys, and what `records` tell of, as far as it still is. */
export async function auditNames(
  ports: { readonly documents: DocumentStore; readonly clock: Clock },
  organizationId: string,
  records: readonly AuditRecord[],
): Promise<AuditName[]> {
  const members = await listMembers(ports, organizationId);
  const keys = await namedKeys(ports.documents, organizationId, records);
  return [
    ...members.flatMap(({ id, userId, name, email }): AuditName[] => {
      const shown = name ?? email;
      const user: AuditName[] = userId === null ? [] : [{ id: userId, kind: 'user', name: shown }];
      return [...user, { id, kind: 'member', name: shown }];
    }),
    ...keys.map(({ id, name }): AuditName => ({ id, kind: 'key', name })),
    ...(await namedTargets(ports.documents, organizationId, records)),
  ];
}

async function namedTargets(
  documents: DocumentStore,
  organizationId: string,
  records: readonly AuditRecord[],
): Promise<AuditName[]> {
  const told = new Map<string, Target>();
  for (const { action, targetId } of records) {
    const kind = TARGETS.find((name) => action.startsWith(`${name}.`));
    if (kind !== undefined) told.set(targetId, kind);
  }
  const found = await Promise.all(
    [...told].map(async ([id, kind]): Promise<AuditName | null> => {
      const document = await documents[COLLECTION_OF[kind]].get(organizationId, id);
      return document && { id, kind, name: document.name };
    }),
  );
  return found.filter((name) => name !== null);
}

async function namedKeys(
  documents: DocumentStore,
  organizationId: string,
  records: readonly AuditRecord[],
): Promise<ApiKey[]> {
  const { documents: newest } = await documents.apiKeys.search(organizationId, {
    limit: NEWEST_KEYS,
    sortBy: 'createdAt',
    order: 'descending',
  });
  const known = new Set(newest.map(({ id }) => id));
  const wanted = records.flatMap(({ actor, action, targetId }) => [
    ...(actor.kind === 'key' ? [actor.id] : []),
    ...(action.startsWith('api-key.') ? [targetId] : []),
  ]);
  const older = [...new Set(wanted)].filter((id) => !known.has(id));
  const found = await Promise.all(older.map((id) => documents.apiKeys.get(organizationId, id)));
  return [...newest, ...found.filter((key) => key !== null)];
}
