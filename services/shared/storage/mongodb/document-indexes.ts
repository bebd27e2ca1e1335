/** The indexes of documents, made from the one list of collections. */
import { DECLARATIONS } from '../../model/collections.ts';
import { listIndexName } from '../../model/define-collection.ts';
import { CHANGE_COLLECTION } from './change-counter.ts';
import type { IndexDeclaration } from './indexes.ts';

/** A week. */
const CHANGES_KEPT_SECONDS = 7 * 86_400;

/** For every collection: (organizationId, id), its unique indexes and its further ones. `_id` is the document's `id`. */
const COLLECTION_INDEXES: readonly IndexDeclaration[] = DECLARATIONS.flatMap(
  ([, { name: collection, unique = {}, indexes = {}, lists = [] }]) => [
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
        // For one field, nulls are not equal to each other: null is left out of the document.
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
    ...lists.map(
      (fields): IndexDeclaration => ({
        collection,
        name: listIndexName(fields),
        key: keyOf(['organizationId', ...fields, '_id']),
        comment: `lists of one tenant by ${fields.join(' and ')}`,
      }),
    ),
  ],
);

/** Those of the collections, and that of the change counts, which removes what ended processes left. */
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
  return Object.fromEntries(fields.map((field) => [field === 'id' ? '_id' : field, 1]));
}
