/** The indexes of documents, made from the one list of collections. */
import { COLLECTIONS } from '../collections.ts';
import type { IndexDeclaration } from './indexes.ts';

/** Of every collection: (organizationId, id), its unique ones and its further ones. `_id` is the document's `id`. */
export const DOCUMENT_INDEXES: readonly IndexDeclaration[] = Object.values(COLLECTIONS).flatMap(
  ({ name: collection, unique, indexes }) => [
    {
      collection,
      name: 'organizationId_id',
      key: { organizationId: 1, _id: 1 } as const,
      comment: 'lists and reads of one tenant',
    },
    ...Object.entries(unique).map(
      ([name, fields]): IndexDeclaration => ({
        collection,
        name,
        key: keyOf(fields),
        unique: true,
        // Of one field, null equals no other null: it is left out of the document.
        ...(fields.length === 1 ? { sparse: true as const } : {}),
        comment: `one document per ${fields.join(' and ')}`,
      }),
    ),
    ...Object.entries(indexes).map(
      ([name, fields]): IndexDeclaration => ({
        collection,
        name,
        key: keyOf(fields),
        comment: `reads by ${fields.join(' and ')}`,
      }),
    ),
  ],
);

function keyOf(fields: readonly string[]): Record<string, 1> {
  return Object.fromEntries(fields.map((field) => [field, 1]));
}
