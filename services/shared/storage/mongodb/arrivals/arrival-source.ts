/** Arrivals in MongoDB as the column store reads them. */
import type { Arrival, ArrivalSource } from '../../columns/sources.ts';
import { type EventDocument, toEventRecord } from '../event-document.ts';
import { type ArrivalReader, stampOf } from './arrival-reader.ts';

export function arrivalSourceOf(reader: Pick<ArrivalReader, 'read' | 'writers'>): ArrivalSource {
  return {
    writers: (signal) => reader.writers(signal),
    async *read(partition, selection, signal) {
      for await (const batch of reader.read(partition, selection, signal)) yield batch.map(toArrival);
    },
  };
}

function toArrival(document: EventDocument): Arrival {
  const { writer, sequence } = stampOf(document);
  if (writer === null || sequence === null) throw new TypeError('an arrival has no stamp');
  return { id: String(document._id), writer, sequence, event: toEventRecord(document) };
}
