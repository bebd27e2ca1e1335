/**
 * Query strings and cursors of lists that are searched and sorted, and pages of the one list that is gathered from
 * several collections (contract.md section 7).
 */
import { z } from 'zod';
import { validationError } from '../shared/errors/zod-details.ts';
import { DEFAULT_LIMIT, type Page, pageQuerySchema } from './page-of.ts';

const MAX_SEARCH_LENGTH = 200;

/** The query string of a list that sorts by one of `columns`, with a `-` before it for descending. */
export function sortedQuerySchema<Column extends string>(columns: readonly [Column, ...Column[]]) {
  const sorts = columns.flatMap((column) => [column, `-${column}`] as const);
  return pageQuerySchema.extend({
    search: z
      .string()
      .min(1, 'At least one character.')
      .max(MAX_SEARCH_LENGTH, `At most ${MAX_SEARCH_LENGTH} characters.`)
      .optional()
      .describe(
        'Only those that contain this text, in any case. One call looks at 1,000 at most: a page may be short, or empty, and still have a `nextCursor`.',
      ),
    sort: z
      .enum(sorts, `Allowed: ${sorts.join(', ')}.`)
      .optional()
      .describe(`The order; a leading - turns it round. ${columns[0]} by default.`),
  });
}

export interface SortedQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly search?: string | undefined;
  readonly sort?: string | undefined;
}

/** How a list is searched and sorted. */
export interface SortedList<T> {
  /** The texts of an element that `search` looks into. */
  searched(element: T): readonly string[];
  /** The sort values of an element; the first is the default. Ties are ordered by identifier. */
  readonly columns: Readonly<Record<string, (element: T) => string>>;
}

/** The requested page of `elements`. @throws ApiError VALIDATION_ERROR for a cursor of another list or order */
export function sortedPage<T extends { readonly id: string }>(
  elements: readonly T[],
  query: SortedQuery,
  list: SortedList<T>,
): Page<T> {
  const sort = query.sort ?? Object.keys(list.columns)[0] ?? '';
  const sortValueOf = list.columns[sort.replace(/^-/, '')] ?? (() => '');
  const direction = sort.startsWith('-') ? -1 : 1;
  const compare = (a: Position, b: Position) => direction * (order(a[0], b[0]) || order(a[1], b[1]));

  const after = decodeSortedCursor(query.cursor, sort);
  const needle = query.search?.toLowerCase();
  const found = elements
    .map((element) => ({ element, position: [sortValueOf(element), element.id] as const }))
    .filter(({ element }) => needle === undefined || contains(list.searched(element), needle))
    .filter(({ position }) => after === null || compare(position, after) > 0)
    .sort((a, b) => compare(a.position, b.position));
  const page = found.slice(0, query.limit ?? DEFAULT_LIMIT);
  const data = page.map(({ element }) => element);
  const last = page.at(-1);
  if (!last || page.length === found.length) return { data };
  return { data, nextCursor: encodeSortedCursor(sort, last.position) };
}

/** The sort value, and the identifier. */
type Position = readonly [string, string];

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function contains(texts: readonly string[], needle: string): boolean {
  return texts.some((text) => text.toLowerCase().includes(needle));
}

const cursorSchema = z.tuple([z.string(), z.string(), z.string()]);

/** The cursor after this position of a list in this order. */
export function encodeSortedCursor(sort: string, position: Position): string {
  return Buffer.from(JSON.stringify([sort, ...position]), 'utf8').toString('base64url');
}

/** The position of a cursor; null without one. @throws ApiError VALIDATION_ERROR for one of another list or order */
export function decodeSortedCursor(cursor: string | undefined, sort: string): Position | null {
  if (cursor === undefined) return null;
  const parsed = cursorSchema.safeParse(jsonOf(Buffer.from(cursor, 'base64url').toString('utf8')));
  if (parsed.success && parsed.data[0] === sort) return [parsed.data[1], parsed.data[2]];
  throw validationError([{ field: 'cursor', message: 'Not a cursor of this list in this order.' }]);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
