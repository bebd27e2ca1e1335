/** Walks the documents of a person: traits and visitors, anywhere in the organization. */
import type { Stored } from '../../shared/model/stored.ts';
import type { Collection, Position } from '../../shared/ports/document-store.ts';

/** Documents per read. */
const READ_AT_A_TIME = 100;

/** A document that belongs to a person. */
interface PersonDocument extends Stored {
  readonly profileId: string;
}

/** The part of a collection that is needed here. */
export type SortedDocuments<T extends Stored> = Pick<Collection<T, never, 'profileId'>, 'search'>;

/** Every document of the person in pages, by id ascending; removing one meanwhile hides no other. */
export async function* documentsOf<T extends PersonDocument>(
  collection: SortedDocuments<T>,
  organizationId: string,
  profileId: string,
): AsyncGenerator<readonly T[]> {
  let after: Position | undefined;
  do {
    const { documents, next } = await collection.search(organizationId, {
      limit: READ_AT_A_TIME,
      sortBy: 'profileId',
      where: [{ field: 'profileId', values: [profileId] }],
      ...(after && { after }),
    });
    if (documents.length > 0) yield documents;
    after = next ?? undefined;
  } while (after);
}
