/** Asks for a dataset alone, and for all of one that is read page by page, as files of lists need it. */
import type { Answer, Request } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { OFFLINE } from '../api/fault.ts';
import type { DatasetAnswer } from '../api/wire.ts';
import { type Reading, type Whole, wholeList } from '../exports/whole-list.ts';
import { answerOf, type DatasetRow, type QueryBatch } from './batch.ts';

/** One that failed is a fault: the API says why in a sentence, which stands in the place of the list once it is asked there. */
export async function askDataset(
  request: Request,
  dataset: string,
  id?: string,
): Promise<Answer<DatasetAnswer>> {
  const answer = await call<QueryBatch>(request);
  if (!answer.ok) return answer;
  const body = answerOf(answer.body, dataset, id);
  return body?.success
    ? { ...answer, body }
    : { ok: false, fault: { ...OFFLINE, kind: 'unavailable', status: 200 } };
}

/** `requestOf`: asks for a page, from 1. */
export function wholeDataset(
  requestOf: (page: number) => Request,
  { rows, pages }: Reading,
  dataset: string,
  id?: string,
): Promise<Whole<DatasetRow>> {
  return wholeList(async (cursor = '1') => {
    const answer = await askDataset(requestOf(Number(cursor)), dataset, id);
    if (!answer.ok) return answer;
    const { data } = answer.body;
    const nextCursor = data.length < rows ? undefined : String(Number(cursor) + 1);
    return { ...answer, body: { data, nextCursor } };
  }, pages);
}
