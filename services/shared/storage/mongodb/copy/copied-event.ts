/** The ids of a copied event: `_id` from its row, so that storing it twice keeps one; and what is kept of its event id. */
import { mongo } from 'mongoose';
import type { EventRecord } from '../../../model/event-record.ts';
import type { EventDocument } from '../event-document.ts';
import { eventIdKey } from '../event-ids.ts';

/** An event with its row in the source file. */
export interface CopiedEvent {
  readonly row: number;
  /** When it was stored, in milliseconds; null when that is not known. */
  readonly receivedAt: number | null;
  readonly event: EventRecord;
}

export type IdentifiedEvent = Readonly<Record<string, EventDocument[string] | mongo.ObjectId>>;

/**
 * The row number. The driver's own ids have an instant in their first four bytes; here these are zero, so the two never
 * collide.
 */
export function copiedEventId(row: number): mongo.ObjectId {
  return new mongo.ObjectId(row.toString(16).padStart(24, '0'));
}

/** The id of a stored event, as the event store keeps it. */
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
