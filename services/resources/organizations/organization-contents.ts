/** Counts what is deleted with an organization: the collections that the list says are counted. */
import { z } from 'zod';
import type { CollectionName } from '../../shared/model/collection-types.ts';
import { type COLLECTIONS, DECLARATIONS } from '../../shared/model/collections.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { notFound } from '../write-matching.ts';

type Counted = {
  [Name in CollectionName]: (typeof COLLECTIONS)[Name] extends { readonly counted: string } ? Name : never;
}[CollectionName];
type ShownAs = Exclude<Counted, 'memberships'> | 'members';

/** What is counted, in the order of the report, with the singular word for each. Memberships are shown as people. */
export const COUNTED_THINGS: readonly { readonly shownAs: ShownAs; readonly one: string }[] =
  DECLARATIONS.flatMap(([name, { counted: one }]) =>
    one === undefined
      ? []
      : [{ shownAs: name === 'memberships' ? 'members' : (name as Counted & ShownAs), one }],
  );

const users = z.number().describe('Members that belong to no other organization, and go with it.');
const counts = COUNTED_THINGS.map(({ shownAs }) =>
  shownAs === 'members' ? { members: z.number(), users } : { [shownAs]: z.number() },
);

/** How many things are deleted with an organization, besides its events, profiles, usage and audit records. */
export const organizationContentsSchema = z.object({
  id: z.string(),
  name: z.string(),
  ...(Object.assign({}, ...counts) as Readonly<Record<ShownAs | 'users', z.ZodNumber>>),
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
  const counted = new Map<ShownAs | 'users', number>();
  for (const { shownAs } of COUNTED_THINGS) {
    const found = shownAs === 'members' ? members : await documents[shownAs].all(id);
    counted.set(shownAs, found.length);
    if (shownAs === 'members') {
      counted.set('users', belongings.filter((memberships) => memberships.length === 1).length);
    }
  }
  return {
    id,
    name: organization.name,
    ...(Object.fromEntries(counted) as Record<ShownAs | 'users', number>),
  };
}
