/** What a collection of documents declares, and the types that follow from it. */
import type { z } from 'zod';
import type { FieldPath, Stored } from './stored.ts';

/** Fields of a document, in the order of the index. */
type IndexFields<T extends Stored> = readonly [FieldPath<T>, ...FieldPath<T>[]];

/** What a tenant's list is sorted by; a field before it restricts the list to one value of that field. */
type ListIndex<T extends Stored> =
  | readonly [sortedBy: keyof T & string]
  | readonly [within: keyof T & string, sortedBy: keyof T & string];

/** What the bus announces about a write. */
export interface Told<Field extends string = string> {
  /** The kind of the invalidation. */
  readonly kind: string;
  /**
   * Fields of the document that it names; all but `id` and `organizationId` are null when the writer no longer knows
   * them.
   */
  readonly names: readonly Field[];
}

/** Everything that a collection declares besides its schema. */
export interface CollectionBody<T extends Stored> {
  /** Name of the table or of the database collection. */
  readonly name: string;
  /** Prefix of its identifiers; absent where they are made in another way. */
  readonly idPrefix?: string;
  /** Unique indexes by the name that `Collection.findUnique` and DuplicateError use; nulls are not equal to each other. */
  readonly unique?: Readonly<Record<string, IndexFields<T>>>;
  /** Further indexes by name. */
  readonly indexes?: Readonly<Record<string, IndexFields<T>>>;
  /** The orders of `Collection.search`, each an index of organizationId, these fields and id. */
  readonly lists?: readonly ListIndex<T>[];
  /**
   * What is announced to processes that cache these documents; the change counter counts their writes too. Absent: no
   * verdict depends on them.
   */
  readonly told?: Told<keyof T & string>;
  /**
   * The owner whose deletion removes its documents: `organization`, or `website`, where they go with the one that
   * `websiteId` names and with the organization. Absent: a clean-up of its own decides.
   */
  readonly owner?: T extends { readonly websiteId: string | null }
    ? 'organization' | 'website'
    : 'organization';
  /** Whether a search may miss the newest writes: it only shows, and nothing is decided by it. */
  readonly searchMayLag?: true;
  /** What one document is called where the deletion of an organization says how many would go; absent: it is not counted. */
  readonly counted?: string;
}

/** One collection as stores see it. `id` is unique across tenants, and documents are read by (organizationId, id). */
export interface CollectionDeclaration<T extends Stored = Stored> {
  readonly name: string;
  /** The shape of a stored document, checked when it is written and when it is read. */
  readonly schema: z.ZodType<T>;
  readonly idPrefix?: string;
  readonly unique?: Readonly<Record<string, readonly string[]>>;
  readonly indexes?: Readonly<Record<string, readonly string[]>>;
  readonly lists?: readonly (readonly string[])[];
  readonly told?: Told;
  readonly owner?: 'organization' | 'website';
  readonly searchMayLag?: true;
  readonly counted?: string;
}

/** Declares a collection of documents of `schema`; every field that it names exists in the schema. */
export function defineCollection<
  Schema extends z.ZodType<Stored>,
  const Body extends CollectionBody<z.output<Schema>>,
>(schema: Schema, body: Body): Body & { readonly schema: Schema } {
  return { ...body, schema };
}

/** What a collection holds. */
export type DocumentOf<Declaration extends { readonly schema: z.ZodType }> = z.output<Declaration['schema']>;

/** The names of its unique indexes. */
export type UniqueOf<Declaration> = Declaration extends { readonly unique: infer Unique }
  ? keyof Unique & string
  : never;

/** The fields that its lists are sorted by. */
export type SortedByOf<Declaration> = Declaration extends { readonly lists: readonly (infer List)[] }
  ? List extends readonly [...unknown[], infer SortedBy extends string]
    ? SortedBy
    : never
  : never;

/** What the bus announces about it; `never` where nothing is announced. */
export type ToldOf<Declaration> = Declaration extends {
  readonly told: { readonly kind: infer Kind; readonly names: readonly (infer Name extends string)[] };
}
  ? {
      readonly [Field in 'kind' | Name]: Field extends 'kind'
        ? Kind
        : Field extends 'id' | 'organizationId'
          ? string
          : string | null;
    }
  : never;

/** The index of a list. */
export function listIndexName(fields: readonly string[]): string {
  return `list_${fields.join('_')}`;
}
