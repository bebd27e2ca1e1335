/** Types that follow from the list of collections: names, documents, indexes, prefixes of identifiers. */
import type { COLLECTIONS } from './collections.ts';
import type { DocumentOf, SortedByOf, ToldOf, UniqueOf } from './define-collection.ts';

type Collections = typeof COLLECTIONS;

/** The names of the collections in the port. */
export type CollectionName = keyof Collections;

/** What the collection of this name holds, the names of its unique indexes, and the fields that its lists are sorted by. */
export type DocumentIn<Name extends CollectionName> = DocumentOf<Collections[Name]>;
export type UniqueIn<Name extends CollectionName> = UniqueOf<Collections[Name]>;
export type SortedByIn<Name extends CollectionName> = SortedByOf<Collections[Name]>;

/** The prefixes of identifiers. */
export type IdPrefix = {
  [Name in CollectionName]: Collections[Name] extends { readonly idPrefix: infer Prefix } ? Prefix : never;
}[CollectionName];

/** What the bus announces about single documents. */
export type ToldDocument = { [Name in CollectionName]: ToldOf<Collections[Name]> }[CollectionName];
