/** All links that a search finds, with their clicks, for a file: a page of the list, and the clicks of those on it. */
import { call } from '../../api/call.ts';
import type { LinkView } from '../../api/wire.ts';
import type { Cell } from '../../exports/csv.ts';
import { type Page, type Whole, wholeList } from '../../exports/whole-list.ts';
import type { QueryBatch } from '../../website/batch.ts';
import { csvRow, totalsOf } from './model.ts';
import { type ListQuery, listRequest, totalsRequest } from './questions.ts';

/** `query`: what the list shows; the file begins at its first page. */
export function wholeFile(query: ListQuery, timezone: string): Promise<Whole<readonly Cell[]>> {
  return wholeList(async (cursor) => {
    const list = await call<Page<LinkView>>(listRequest({ ...query, cursor }));
    if (!list.ok) return list;
    const { data: links, nextCursor } = list.body;
    // A search may find nothing in a part of the list.
    if (links.length === 0) return { ...list, body: { data: [], nextCursor } };
    const ids = links.map(({ id }) => id);
    const batch = await call<QueryBatch>(totalsRequest(ids, timezone));
    if (!batch.ok) return batch;
    const totals = totalsOf(batch.body);
    return { ...list, body: { data: links.map((link) => csvRow(link, totals?.(link.id))), nextCursor } };
  });
}
