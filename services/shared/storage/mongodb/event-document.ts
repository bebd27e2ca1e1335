/** An event as MongoDB holds it. */
import { type EventRecord, NUMBER_COLUMNS, TEXT_COLUMNS } from '../../model/event-record.ts';
import { EVENT_COLUMNS } from '../event-columns.ts';

/** The collection of events. Its shard key is {website_id: 1, timestamp: 1}. */
export const EVENT_COLLECTION = 'events';

/**
 * A document. Columns have their own names and are absent when null, except `website_id`, which is part of the shard
 * key. `timestamp` is a number, in milliseconds since the epoch. Documents of earlier versions have further fields.
 */
export type EventDocument = Readonly<Record<string, string | number | boolean | null>>;

/** The fields of an event, without its `_id`. */
export function toEventDocument(event: EventRecord): EventDocument {
  const document: Record<string, EventDocument[string]> = {
    organization_id: event.organization_id,
    website_id: event.website_id,
    timestamp: event.timestamp,
    is_bot: event.is_bot,
    ...(event.is_keyless === null ? {} : { is_keyless: event.is_keyless }),
  };
  for (const column of TEXT_COLUMNS) {
    const text = event[column];
    if (text !== null) document[column] = text;
  }
  for (const column of NUMBER_COLUMNS) {
    const number = event[column];
    if (number !== null) document[column] = number;
  }
  return document;
}

/** Its copies keep the shape of an object with all columns, which costs a fifteenth of adding them one by one. */
const EMPTY_RECORD = Object.fromEntries(EVENT_COLUMNS.map(({ name }) => [name, null]));

/** The event of a document; null where a field is absent. */
export function toEventRecord(document: EventDocument): EventRecord {
  const record: Record<string, unknown> = { ...EMPTY_RECORD };
  for (const { name } of EVENT_COLUMNS) {
    const value = document[name];
    if (value !== undefined) record[name] = value;
  }
  return record as EventRecord;
}
