/** An event as MongoDB holds it, shared by the store that writes it and the compiler whose pipelines read it. */
import { type EventRecord, NUMBER_COLUMNS, TEXT_COLUMNS, type TextColumn } from '../../model/event-record.ts';
import { hostOf } from '../../text/host-of.ts';
import { EVENT_COLUMNS } from '../event-columns.ts';

/** The collection of events. Its shard key, and the index that serves queries, is {website_id: 1, timestamp: 1}. */
export const EVENT_COLLECTION = 'events';

/** URL columns whose host is stored too, since pipelines cannot parse a URL. */
const HOST_COLUMNS: readonly TextColumn[] = ['href'];

/** The field for the host of a URL column. */
export function hostField(column: TextColumn): string {
  return `${column}_host`;
}

/** A property: its key and its text; a value that is not text is stored as its JSON, null as null. */
export interface PropertyPair {
  readonly k: string;
  readonly v: string | null;
}

/** The field with the properties taken apart, as an array of {@link PropertyPair}. */
export const PAIRS_FIELD = 'pairs';

/**
 * A document. Columns have their own names and are absent when null, except `website_id`, which is part of the shard
 * key. `timestamp` is a number, in milliseconds since the epoch, since pipelines calculate with it.
 */
export type EventDocument = Readonly<
  Record<string, string | number | boolean | null | readonly PropertyPair[]>
>;

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
  for (const column of HOST_COLUMNS) {
    const host = hostOf(event[column] ?? '');
    if (host !== '') document[hostField(column)] = host;
  }
  if (event.properties !== null) document[PAIRS_FIELD] = propertyPairs(event.properties);
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

/** The properties in the JSON text of an object, in order. */
function propertyPairs(json: string): PropertyPair[] {
  return Object.entries(JSON.parse(json) as object).map(([k, value]: [string, unknown]) => {
    return { k, v: value === null || typeof value === 'string' ? value : JSON.stringify(value) };
  });
}
