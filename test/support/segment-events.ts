/** Events for tests of segments: every column filled or null, extremes, and scripts of many kinds. */
import { type EventRecord, NUMBER_COLUMNS, TEXT_COLUMNS } from '../../services/shared/model/event-record.ts';
import { EVENT_COLUMNS } from '../../services/shared/storage/event-columns.ts';
import { eventRecord } from './event-record.ts';

/** Out of order, with two at one instant; each is another event. */
export function variedEvents(): EventRecord[] {
  const full = Object.fromEntries([
    ...TEXT_COLUMNS.map((name) => [name, `the ${name}`]),
    ...NUMBER_COLUMNS.map((name, i) => [name, wholeNumbers.has(name) ? i : i + 0.1]),
  ]) as Partial<EventRecord>;
  const numbers = (value: number) =>
    Object.fromEntries(NUMBER_COLUMNS.map((name) => [name, value])) as Partial<EventRecord>;
  const common = { website_id: 'web_a' };
  return [
    { ...full, properties: '{"a":[1,null,"ü"]}', is_bot: true, is_keyless: true, timestamp: 2_000 },
    { event_name: 'nulls', timestamp: 1_000 },
    { event_name: 'empty', title: '', path: '', is_keyless: false, timestamp: 1_000 },
    {
      event_name: 'unicode',
      title: '👩‍👩‍👧 日本 \u202e ا\u0301 \\ " \' \n\t\u0001',
      text: '\uffff',
      timestamp: 3_000,
    },
    { event_name: 'quoted', anonymous_id: "'; DROP TABLE part; --", profile_id: 'NULL', timestamp: 4_000 },
    { event_name: 'long', stack: 'ä'.repeat(40_000), timestamp: 5_000 },
    { event_name: 'most', ...numbers(Number.MAX_SAFE_INTEGER), timestamp: 6_000 },
    { event_name: 'least', ...numbers(Number.MIN_SAFE_INTEGER), timestamp: 7_000 },
    {
      event_name: 'fine',
      time_on_page: 5e-324,
      load_time: 1.7976931348623157e308,
      ttfb: 0.1 + 0.2,
      timestamp: 8_000,
    },
    { event_name: 'first', timestamp: Date.UTC(1, 0, 1) },
    { event_name: 'before 1970', timestamp: -1 },
    { event_name: 'last', timestamp: 8.64e15 },
  ].map((event) => eventRecord({ ...event, ...common }));
}

const wholeNumbers = new Set<string>(
  EVENT_COLUMNS.filter(({ type }) => type === 'BIGINT').map(({ name }) => name),
);

/** In lists of that many. */
export async function* inBatches(
  events: readonly EventRecord[],
  size = 1_000,
): AsyncGenerator<EventRecord[]> {
  for (let from = 0; from < events.length; from += size) yield events.slice(from, from + size);
}

/** Texts of events in an order that does not hang on how they are stored. */
export function sortedTexts(events: readonly EventRecord[]): string[] {
  return events.map((event) => JSON.stringify(EVENT_COLUMNS.map(({ name }) => event[name]))).sort();
}
