/** The indexes of documents, made from the one list of collections. */
import { COLLECTIONS } from '../collections.ts';
import { CHANGE_COLLECTION } from './change-counter.ts';
import type { IndexDeclaration } from './indexes.ts';

/** A week. */
const CHANGES_KEPT_SECONDS = 7 * 86_400;

/** Of every collection: (organizationId, id), its unique ones and its further ones. `_id` is the document's `id`. */
const COLLECTION_INDEXES: readonly IndexDeclaration[] = Object.values(COLLECTIONS).flatMap(
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

/** Those of the collections, and that of the counts of changes, which removes what ended processes left. */
export const DOCUMENT_INDEXES: readonly IndexDeclaration[] = [
  ...COLLECTION_INDEXES,
  {
    collection: CHANGE_COLLECTION,
    name: 'at',
    key: { at: 1 },
    expireAfterSeconds: CHANGES_KEPT_SECONDS,
    comment: 'counts of processes that wrote nothing for a week; one that writes again goes on where it was',
  },
];

function keyOf(fields: readonly string[]): Record<string, 1> {
  return Object.fromEntries(fields.map((field) => [field, 1]));
}
