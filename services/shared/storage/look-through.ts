/**
 * Looks through a list in slices until a page is full or enough was looked at: what a search means in every document
 * store.
 */
import type { Stored } from '../model/stored.ts';
import { type Found, MOST_LOOKED_AT, type Position, type Search } from '../ports/document-store.ts';

/** Documents that are looked at, or read whole, between two turns of the event loop. */
export const SLICE = 100;
/** The highest {@link Search.limit}. */
const LARGEST_PAGE = 100;

/** What is read to judge a document: its position, and the values of the fields that decide. */
export interface Glimpse {
  readonly position: Position;
  /** For the fields of `where` that no index answers, in their order. */
  readonly values: readonly unknown[];
  /** For the fields of `text`, in their order. */
  readonly texts: readonly unknown[];
}

/** How a store reads. */
export interface Look<T extends Stored> {
  /** How many documents the next slice should have; absent: {@link SLICE}. */
  slice?(): number;
  /** Documents after this position, in the order of the list. */
  documents(after: Position | undefined, limit: number): Promise<T[]>;
  /** Like `documents`, with only what is needed to judge them. */
  glimpses(after: Position | undefined, limit: number): Promise<Glimpse[]>;
  /** The documents with these ids, in any order; deleted ones are left out. */
  byIds(ids: readonly string[]): Promise<T[]>;
}

/** The conditions of a search: the one that an index answers, and those that are checked for every document. */
export interface Conditions<T extends Stored> {
  /** The value to which the index is restricted, besides the tenant. */
  readonly within: { readonly field: keyof T & string; readonly value: string } | null;
  /** What is checked for each document. */
  readonly asked: NonNullable<Search<T>['where']>;
}

/** @throws RangeError for a limit outside 1..100; TypeError for an order that has no index */
export function conditionsOf<T extends Stored>(
  lists: readonly (readonly string[])[],
  { limit, sortBy, where = [] }: Search<T, string>,
): Conditions<T> {
  if (!Number.isInteger(limit) || limit < 1 || limit > LARGEST_PAGE) {
    throw new RangeError(`limit must be 1..${LARGEST_PAGE}, got ${limit}`);
  }
  const isListed = (...fields: string[]) => lists.some((list) => list.join() === fields.join());
  if (sortBy !== 'id' && !isListed(sortBy)) throw new TypeError(`no index sorts by ${sortBy}`);
  for (const condition of where) {
    const [value, ...others] = condition.values;
    // Within a single value of a list's only field the order is that of ids.
    const isById = sortBy === 'id' || condition.field === sortBy;
    const list = isById ? [condition.field] : [condition.field, sortBy];
    if (value === undefined || others.length > 0 || !isListed(...list)) continue;
    return {
      within: { field: condition.field, value },
      asked: where.filter((other) => other !== condition),
    };
  }
  return { within: null, asked: where };
}

/** The result of `search`, read through `look`, which knows the order and the restriction of the index. */
export async function lookThrough<T extends Stored>(
  search: Search<T, string>,
  asked: Conditions<T>['asked'],
  look: Look<T>,
): Promise<Found<T>> {
  const { limit, sortBy, after, where = [], text } = search;
  // No document has one of no values.
  if (where.some(({ values }) => values.length === 0)) return { documents: [], next: null };
  const named = where.find(({ field }) => field === 'id');
  if (named) return amongNamed(search, await inSlices(named.values, look));
  if (asked.length === 0 && text === undefined) {
    // One more than the page, so that there is a next position only when something follows.
    const read = await look.documents(after, limit + 1);
    const documents = read.slice(0, limit);
    const last = documents.at(-1);
    return { documents, next: read.length > limit && last ? positionOf(last, sortBy) : null };
  }

  const matches = matcherOf(asked, text);
  const found: Position[] = [];
  let place = after;
  let isEnd = false;
  for (let left = MOST_LOOKED_AT; left > 0 && found.length <= limit && !isEnd; ) {
    const slice = Math.min(look.slice?.() ?? SLICE, left);
    // One more than is looked at shows whether anything follows.
    const read = await look.glimpses(place, slice + 1);
    const looked = read.slice(0, slice);
    isEnd = read.length <= slice;
    left -= slice;
    place = looked.at(-1)?.position ?? place;
    found.push(...looked.filter(matches).map(({ position }) => position));
  }
  const given = found.slice(0, limit);
  const documents = await inOrder(given, look);
  if (found.length > limit) return { documents, next: given.at(-1) ?? null };
  return { documents, next: isEnd ? null : (place ?? null) };
}

/** The position of a document in a list that is sorted by this field. */
export function positionOf<T extends Stored>(document: T, sortBy: string): Position {
  return [String((document as Readonly<Record<string, unknown>>)[sortBy]), document.id];
}

/** The value at a path of a document, with dots for nested fields; undefined: nothing. */
export function valueAt(document: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[name],
      document,
    );
}

/** The order of both stores: by bytes, so that a cursor means the same position in each. */
export function comparePositions(a: Position, b: Position): number {
  return byBytes(a[0], b[0]) || byBytes(a[1], b[1]);
}

function byBytes(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The page among documents that were listed one by one, such as the websites that a key reaches. */
function amongNamed<T extends Stored>(
  { limit, sortBy, order, after, where = [], text }: Search<T, string>,
  documents: readonly T[],
): Found<T> {
  const matches = matcherOf(where, text);
  const direction = order === 'descending' ? -1 : 1;
  const found = documents
    .filter((document) =>
      matches({
        values: where.map(({ field }) => document[field]),
        texts: (text?.fields ?? []).map((path) => valueAt(document, path)),
      }),
    )
    .map((document) => ({ document, position: positionOf(document, sortBy) }))
    .filter(({ position }) => after === undefined || direction * comparePositions(position, after) > 0)
    .sort((a, b) => direction * comparePositions(a.position, b.position));
  const page = found.slice(0, limit);
  const next = found.length > limit ? (page.at(-1)?.position ?? null) : null;
  return { documents: page.map(({ document }) => document), next };
}

async function inSlices<T extends Stored>(ids: readonly string[], look: Look<T>): Promise<T[]> {
  const distinct = [...new Set(ids)];
  const found: T[] = [];
  for (let from = 0; from < distinct.length; ) {
    const slice = distinct.slice(from, from + (look.slice?.() ?? SLICE));
    found.push(...(await look.byIds(slice)));
    from += slice.length;
  }
  return found;
}

async function inOrder<T extends Stored>(places: readonly Position[], look: Look<T>): Promise<T[]> {
  const read = await inSlices(
    places.map(([, id]) => id),
    look,
  );
  const byId = new Map(read.map((document) => [document.id, document]));
  return places.flatMap(([, id]) => byId.get(id) ?? []);
}

function matcherOf(
  asked: readonly { readonly values: readonly string[] }[],
  text: { readonly contains: string } | undefined,
): (glimpse: Omit<Glimpse, 'position'>) => boolean {
  const allowed = asked.map(({ values }) => new Set<unknown>(values));
  const needle = text?.contains.toLowerCase();
  const contains = (value: unknown) =>
    typeof value === 'string' && value.toLowerCase().includes(needle ?? '');
  return ({ values, texts }) =>
    allowed.every((set, i) => set.has(values[i])) && (needle === undefined || texts.flat().some(contains));
}
