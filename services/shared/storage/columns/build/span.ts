/** Takes documents by time, whole instants of them, until there are enough. */
import type { EventDocument } from '../../mongodb/event-document.ts';

/** No event has an earlier one. */
export const FIRST_INSTANT = -8.64e15;

export class Span {
  readonly #rows: number;
  readonly #floor: number;
  /** The instant at which the next span begins; null: there are no more events. */
  next: number | null = null;

  /** It has about so many events, and ends at no instant before `floor`. */
  constructor(rows: number, floor = FIRST_INSTANT) {
    this.#rows = rows;
    this.#floor = floor;
  }

  async *of(
    batches: AsyncIterable<readonly EventDocument[]>,
  ): AsyncGenerator<readonly EventDocument[], void, undefined> {
    let rows = 0;
    let last: EventDocument[string] | undefined;
    for await (const batch of batches) {
      const isNext = ({ timestamp }: EventDocument, index: number) =>
        rows + index >= this.#rows &&
        Number(timestamp) >= this.#floor &&
        timestamp !== (index === 0 ? last : batch[index - 1]?.timestamp);
      const end = batch.findIndex(isNext);
      if (end !== -1) {
        yield batch.slice(0, end);
        this.next = Number(batch[end]?.timestamp);
        return;
      }
      yield batch;
      rows += batch.length;
      last = batch.at(-1)?.timestamp ?? last;
    }
  }
}
