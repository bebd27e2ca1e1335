/** Which documents belong to a cold range: their events are in cold segments, whether the documents are still there or not. */
import { stampOf } from '../../mongodb/arrivals/arrival-reader.ts';
import type { EventDocument } from '../../mongodb/event-document.ts';
import { isWithin } from '../positions.ts';
import type { ColdRange } from '../segment-set.ts';

/** Documents without a stamp never are. */
export function isInRange(document: EventDocument, { before, within }: ColdRange): boolean {
  const stamp = stampOf(document);
  return stamp.writer !== null && Number(document.timestamp) < before && isWithin(stamp, within);
}

/** Those that are not in the range. */
export async function* outsideOf(
  range: ColdRange | null,
  batches: AsyncIterable<readonly EventDocument[]>,
): AsyncGenerator<readonly EventDocument[], void, undefined> {
  for await (const batch of batches) {
    yield range === null ? batch : batch.filter((document) => !isInRange(document, range));
  }
}
