/** Reads a list to its end for a file, page by page: a bounded number of calls, and whether that was all. */
import type { Answer } from '../api/answer.ts';
import { type Fault, SWITCHED } from '../api/fault.ts';
import { shownOrganization } from '../api/shown-organization.ts';

/** Pages that are read for one file; lists answer up to 100 entries on each. */
export const MOST_PAGES = 20;

export interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor?: string;
}

/** How a list of numbers is read to its end: so many rows of a call, so many calls. */
export interface Reading {
  readonly rows: number;
  readonly pages: number;
}

export type Whole<T> =
  | {
      readonly ok: true;
      readonly rows: readonly T[];
      readonly isCut: boolean;
      /** Names of its columns; absent: those of the rows that the page shows. */
      readonly header?: readonly string[];
    }
  | { readonly ok: false; readonly fault: Fault };

/**
 * `ask` reads the page of a cursor, the first without one. A page that fails makes no file: half a list looks like a whole one. No more
 * does one of another organization, where the page was told to show that one in between.
 */
export async function wholeList<T>(
  ask: (cursor: string | undefined) => Promise<Answer<Page<T>>>,
  mostPages = MOST_PAGES,
): Promise<Whole<T>> {
  const rows: T[] = [];
  let cursor: string | undefined;
  const shown = shownOrganization();
  for (let page = 0; page < mostPages; page++) {
    const answer = await ask(cursor);
    if (shownOrganization() !== shown) return { ok: false, fault: SWITCHED };
    if (!answer.ok) return answer;
    rows.push(...answer.body.data);
    cursor = answer.body.nextCursor;
    if (cursor === undefined) return { ok: true, rows, isCut: false };
  }
  return { ok: true, rows, isCut: true };
}
