/** Pages of lists by identifier: the form of `limit` and `cursor` in every list of resources (contract.md section 7). */
import { z } from 'zod';
import { validationError } from '../shared/errors/zod-details.ts';

/** Default page size. */
export const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
/** Longest cursor, which holds an identifier and the sort value. */
const MAX_CURSOR_LENGTH = 1_000;

export const pageQuerySchema = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, `A whole number from 1 to ${MAX_LIMIT}.`)
    .transform(Number)
    .pipe(z.number().min(1, 'At least 1.').max(MAX_LIMIT, `At most ${MAX_LIMIT}.`))
    .optional()
    .describe(`How many to answer at most: 1 to ${MAX_LIMIT}, ${DEFAULT_LIMIT} by default.`),
  cursor: z
    .string()
    .max(MAX_CURSOR_LENGTH, 'Not a cursor of this list.')
    .optional()
    .describe('`nextCursor` of the page before; absent for the first page.'),
});
export type PageQuery = z.infer<typeof pageQuerySchema>;

/** One page of things with identifiers. */
export interface Page<T> {
  readonly data: T[];
  readonly nextCursor?: string;
}

/**
 * The requested page. `read(limit, after)` returns at most `limit` (1..100) elements by identifier ascending, those
 * after `after`; after a full page it is called once more, so that `nextCursor` is present only when more follows.
 */
export async function pageOf<T extends { readonly id: string }>(
  query: PageQuery,
  read: (limit: number, after: string | undefined) => Promise<T[]>,
): Promise<Page<T>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const data = await read(limit, decodeCursor(query.cursor));
  const last = data.at(-1);
  if (data.length < limit || !last) return { data };
  const following = await read(1, last.id);
  return following.length > 0 ? { data, nextCursor: encodeCursor(last.id) } : { data };
}

/** The cursor after the element with this identifier. */
export function encodeCursor(id: string): string {
  return Buffer.from(id, 'utf8').toString('base64url');
}

/** The identifier in a cursor. @throws ApiError VALIDATION_ERROR for an invalid one */
export function decodeCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const id = Buffer.from(cursor, 'base64url').toString('utf8');
  if (id !== '' && encodeCursor(id) === cursor) return id;
  throw validationError([{ field: 'cursor', message: 'Not a cursor of this list.' }]);
}
