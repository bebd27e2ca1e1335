/** All websites that a search finds, with their numbers, for a file: a page of the list, and the numbers of those on it. */
import type { Request } from '../../api/answer.ts';
import { call } from '../../api/call.ts';
import type { WebsiteView } from '../../api/wire.ts';
import type { Cell } from '../../exports/csv.ts';
import { type Page, type Whole, wholeList } from '../../exports/whole-list.ts';
import type { QueryBatch } from '../../website/batch.ts';
import { dayIn } from '../../website/calendar.ts';
import { batchOf, type CardRange, csvRow, numbersOf } from './card-numbers.ts';

/** `query`: what the list asks for, without its cursor. */
export function wholeFile(
  query: NonNullable<Request['query']>,
  range: CardRange,
  timezone: string,
): Promise<Whole<readonly Cell[]>> {
  return wholeList(async (cursor) => {
    const list = await call<Page<WebsiteView>>({ path: '/v1/websites', query: { ...query, cursor } });
    if (!list.ok) return list;
    const { data: websites, nextCursor } = list.body;
    // A search may find nothing in a part of the list.
    if (websites.length === 0) return { ...list, body: { data: [], nextCursor } };
    const now = Date.now();
    const batch = await call<QueryBatch>(batchOf({ websites, range, now, timezone }));
    if (!batch.ok) return batch;
    const numbers = numbersOf(batch.body, now, dayIn(timezone, now));
    const data = websites.map((website) => csvRow(website, numbers.get(website.id)));
    return { ...list, body: { data, nextCursor } };
  });
}
