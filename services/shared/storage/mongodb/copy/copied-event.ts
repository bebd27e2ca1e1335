/** What a copied event is called: by its row, so that one that is stored twice is there once; and what is kept of its id. */
import { mongo } from 'mongoose';
import type { EventRecord } from '../../../model/event-record.ts';
import type { EventDocument } from '../event-document.ts';
import { eventIdKey } from '../event-ids.ts';

/** An event with its row in the file that it comes from. */
export interface CopiedEvent {
  readonly row: number;
  /** When it was stored, in milliseconds; null when that is not known. */
  readonly receivedAt: number | null;
  readonly event: EventRecord;
}

export type IdentifiedEvent = Readonly<Record<string, EventDocument[string] | mongo.ObjectId>>;

/** The row, where ids of the driver have an instant in their first four bytes: those are zero here, so none meets another. */
export function copiedEventId(row: number): mongo.ObjectId {
  return new mongo.ObjectId(row.toString(16).padStart(24, '0'));
}

/** An id of an event that is stored, as the event store keeps it. */
export interface StoredEventId {
  readonly _id: string;
  readonly event: mongo.ObjectId;
  readonly timestamp: number;
  readonly state: 'stored';
  readonly writers: 1;
  readonly at: Date;
}

/** Null: the event has no id, or came before `earliest`, in milliseconds. */
export function storedEventId(
  { row, receivedAt, event }: CopiedEvent,
  earliest: number,
): StoredEventId | null {
  const key = eventIdKey(event);
  if (key === null || receivedAt === null || receivedAt < earliest) return null;
  const place = { event: copiedEventId(row), timestamp: event.timestamp };
  return { _id: key, ...place, state: 'stored', writers: 1, at: new Date(receivedAt) };
}
