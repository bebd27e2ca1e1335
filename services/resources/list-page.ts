/** Pages of lists that are searched and sorted where the documents are, so that no list is read whole (contract.md section 7). */
import type { Stored } from '../shared/model/stored.ts';
import type { Collection, SortedPage } from '../shared/ports/document-store.ts';
import { DEFAULT_LIMIT, type Page } from './page-of.ts';
import { decodeSortedCursor, encodeSortedCursor, type SortedQuery } from './sorted-page.ts';

/** Documents that are read at a time while a page is searched for. */
const READ_AT_A_TIME = 100;

/** How a list is searched, sorted and bounded. */
export interface SearchedList<T extends Stored> {
  /** Names to sort by on the wire, each with its field, which holds text in every document; the first is the default. */
  readonly columns: Readonly<Record<string, keyof T & string>>;
  /** Texts of a document that `search` looks into. */
  searched(document: T): readonly string[];
  /** Only those whose field is one of the values, such as the websites that a key reaches. */
  readonly where?: SortedPage<T>['where'];
  /** Only those that it says yes to, besides `where`. */
  filter?(document: T): boolean;
}

/**
 * The page of a tenant's documents that `query` asks for.
 * @throws ApiError VALIDATION_ERROR for a cursor of another list or order
 */
export async function listPage<T extends Stored>(
  collection: Pick<Collection<T>, 'sorted'>,
  organizationId: string,
  query: SortedQuery,
  list: SearchedList<T>,
): Promise<Page<T>> {
  const sort = query.sort ?? Object.keys(list.columns)[0] ?? '';
  const sortBy = list.columns[sort.replace(/^-/, '')];
  if (sortBy === undefined) throw new TypeError(`this list is not sorted by ${sort}`);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const needle = query.search?.toLowerCase();
  const positionOf = (document: T) => [String(document[sortBy]), document.id] as const;
  const order = sort.startsWith('-') ? 'descending' : 'ascending';
  let after = decodeSortedCursor(query.cursor, sort);

  const data: T[] = [];
  for (;;) {
    // One more than the page, so that nextCursor stands only where something follows.
    const takesAll = needle === undefined && list.filter === undefined;
    const wanted = takesAll ? Math.min(limit + 1 - data.length, READ_AT_A_TIME) : READ_AT_A_TIME;
    const read = await collection.sorted(organizationId, {
      limit: wanted,
      sortBy,
      order,
      ...(after === null ? {} : { after }),
      ...(list.where === undefined ? {} : { where: list.where }),
    });
    for (const document of read) {
      if (needle !== undefined && !contains(list.searched(document), needle)) continue;
      if (list.filter?.(document) === false) continue;
      const last = data.at(-1);
      if (data.length === limit && last)
        return { data, nextCursor: encodeSortedCursor(sort, positionOf(last)) };
      data.push(document);
    }
    const last = read.at(-1);
    if (read.length < wanted || !last) return { data };
    after = positionOf(last);
  }
}

function contains(texts: readonly string[], needle: string): boolean {
  return texts.some((text) => text.toLowerCase().includes(needle));
}
