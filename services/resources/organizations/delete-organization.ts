/** Deletes an organization with everything that is its own, for administration; says before what that is. */
import { z } from 'zod';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { Cleanups } from '../cleanup/cleanups.ts';
import { notFound } from '../write-matching.ts';

export interface DeleteOrganizationPorts {
  readonly documents: DocumentStore;
  readonly ids: Ids;
  readonly cleanups: Pick<Cleanups, 'wake'>;
}

/** How many there are of what goes with an organization, besides its events, profiles, usage and audit records. */
export const organizationContentsSchema = z.object({
  id: z.string(),
  name: z.string(),
  websites: z.number(),
  apiKeys: z.number(),
  members: z.number(),
  users: z.number().describe('Members that belong to no other organization, and go with it.'),
  invitations: z.number(),
  links: z.number(),
  flags: z.number(),
  targetGroups: z.number(),
  integrations: z.number(),
});
export type OrganizationContents = z.infer<typeof organizationContentsSchema>;

/** @throws ApiError NOT_FOUND */
export async function organizationContents(
  documents: DocumentStore,
  id: string,
): Promise<OrganizationContents> {
  const organization = await documents.organizations.get(id, id);
  if (!organization) throw notFound('organization', id);
  const members = await documents.memberships.all(id);
  const belongings = await Promise.all(members.map(({ userId }) => documents.membershipsOf(userId)));
  const count = async (name: 'websites' | 'apiKeys' | 'invitations' | 'links' | Configured) =>
    (await documents[name].all(id)).length;
  return {
    id,
    name: organization.name,
    websites: await count('websites'),
    apiKeys: await count('apiKeys'),
    members: members.length,
    users: belongings.filter((memberships) => memberships.length === 1).length,
    invitations: await count('invitations'),
    links: await count('links'),
    flags: await count('flags'),
    targetGroups: await count('targetGroups'),
    integrations: await count('integrations'),
  };
}
type Configured = 'flags' | 'targetGroups' | 'integrations';

/**
 * Deletes it: from then on its keys and sessions are worth nothing, and what it held is removed by the clean-up. A fault
 * behind the first write is finished in the background. What went. @throws ApiError NOT_FOUND, SERVICE_UNAVAILABLE
 */
export async function deleteOrganization(
  { documents, ids, cleanups }: DeleteOrganizationPorts,
  id: string,
): Promise<OrganizationContents> {
  const contents = await organizationContents(documents, id);
  const cleanup = { id: ids.create('cln'), organizationId: id, kind: 'organization' } as const;
  await documents.cleanups.insert({ ...cleanup, websiteId: null, anonymousId: null });
  try {
    // Every verdict on a key or a session asks for the organization.
    await documents.organizations.remove(id, id);
  } finally {
    cleanups.wake();
  }
  return contents;
}
