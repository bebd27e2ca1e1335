/** Pages of lists that the store searches and sorts, a bounded part at a time (contract.md section 7). */
import type { FieldPath, Stored } from '../shared/model/stored.ts';
import type { Collection, Search } from '../shared/ports/document-store.ts';
import { DEFAULT_LIMIT, type Page } from './page-of.ts';
import { decodeSortedCursor, encodeSortedCursor, type SortedQuery } from './sorted-page.ts';

/** How a list is searched, sorted and bounded. */
export interface SearchedList<T extends Stored, SortedBy extends string> {
  /** Sort names on the wire, each with its field; the first is the default. */
  readonly columns: Readonly<Record<string, SortedBy>>;
  /** The fields that `search` looks into. */
  readonly searched: readonly FieldPath<T>[];
  /** Only documents whose fields each have one of the values, such as the websites that a key reaches. */
  readonly where?: NonNullable<Search<T>['where']>;
}

/**
 * The requested page of a tenant's documents. It may be short, even empty, and still have a cursor: then the call looked
 * at as many documents as it may.
 * @throws ApiError VALIDATION_ERROR for a cursor of another list or order
 */
export async function listPage<T extends Stored, SortedBy extends string>(
  collection: Pick<Collection<T, never, SortedBy>, 'search'>,
  organizationId: string,
  { sort: asked, limit = DEFAULT_LIMIT, cursor, search }: SortedQuery,
  { columns, searched, where }: SearchedList<T, SortedBy>,
): Promise<Page<T>> {
  const sort = asked ?? Object.keys(columns)[0] ?? '';
  const sortBy = columns[sort.replace(/^-/, '')];
  if (sortBy === undefined) throw new TypeError(`this list is not sorted by ${sort}`);
  const after = decodeSortedCursor(cursor, sort);
  const { documents: data, next } = await collection.search(organizationId, {
    limit,
    sortBy,
    order: sort.startsWith('-') ? 'descending' : 'ascending',
    ...(after === null ? {} : { after }),
    ...(where === undefined ? {} : { where }),
    ...(search === undefined ? {} : { text: { contains: search, fields: searched } }),
  });
  return next === null ? { data } : { data, nextCursor: encodeSortedCursor(sort, next) };
}
