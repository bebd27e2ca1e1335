/** The table of events in DuckDB: its columns, how a request's events become JSON text, and the statement that stores them. */
import { type EventRecord, NUMBER_COLUMNS, TEXT_COLUMNS } from '../../model/event-record.ts';

/** The table that compiled queries read. */
export const EVENT_TABLE = 'events';

/** Number columns that hold whole numbers; the others may be fractions of a second or of a metric. */
const WHOLE_NUMBERS: ReadonlySet<string> = new Set(['interaction_count', 'page_count', 'lineno', 'colno']);

interface Column {
  readonly name: keyof EventRecord;
  readonly type: 'VARCHAR' | 'BIGINT' | 'DOUBLE' | 'BOOLEAN' | 'TIMESTAMP';
  readonly required: boolean;
}

/** Every column, in the order of the table. `timestamp` is an instant in UTC. */
export const EVENT_COLUMNS: readonly Column[] = [
  { name: 'organization_id', type: 'VARCHAR', required: true },
  { name: 'timestamp', type: 'TIMESTAMP', required: true },
  { name: 'is_bot', type: 'BOOLEAN', required: true },
  ...TEXT_COLUMNS.map((name) => ({ name, type: 'VARCHAR' as const, required: name === 'event_name' })),
  ...NUMBER_COLUMNS.map((name) => ({
    name,
    type: WHOLE_NUMBERS.has(name) ? ('BIGINT' as const) : ('DOUBLE' as const),
    required: false,
  })),
];

/** The statement that makes the table. No primary key on event_id: it would make the file 2.6 times larger. */
export const CREATE_EVENT_TABLE = `CREATE TABLE ${EVENT_TABLE} (${EVENT_COLUMNS.map(
  ({ name, type, required }) => `"${name}" ${type}${required ? ' NOT NULL' : ''}`,
).join(', ')})`;

const JSON_STRUCTURE = JSON.stringify([
  Object.fromEntries(EVENT_COLUMNS.map(({ name, type }) => [name, type === 'TIMESTAMP' ? 'BIGINT' : type])),
]);

/**
 * Stores a JSON array of events, given as one text, in one commit. The text is parsed by the engine, off the
 * JavaScript thread. A key that is absent is null; so would be a value of the wrong type, hence {@link toJsonText}.
 */
export const INSERT_EVENTS = `INSERT INTO ${EVENT_TABLE} (${EVENT_COLUMNS.map(({ name }) => `"${name}"`).join(', ')})
SELECT ${EVENT_COLUMNS.map(({ name, type }) => (type === 'TIMESTAMP' ? `epoch_ms(event."${name}")` : `event."${name}"`)).join(', ')}
FROM (SELECT unnest(from_json($1, '${JSON_STRUCTURE}')) AS event)`;

/**
 * The events as JSON objects joined by commas, without the brackets, so that requests can be joined again.
 * @throws TypeError when a value does not fit its column
 */
export function toJsonText(events: readonly EventRecord[]): string {
  return events.map((event) => JSON.stringify(givenValues(event))).join(',');
}

/** Absent and null are the same to the statement, and most columns of most events are null. */
function givenValues(event: EventRecord): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const { name, type, required } of EVENT_COLUMNS) {
    const value = event[name];
    if (value === null && !required) continue;
    if (!fits(value, type)) throw new TypeError(`${name} cannot be ${String(value)} of type ${typeof value}`);
    given[name] = value;
  }
  return given;
}

function fits(value: unknown, type: Column['type']): boolean {
  switch (type) {
    case 'VARCHAR':
      return typeof value === 'string';
    case 'BOOLEAN':
      return typeof value === 'boolean';
    case 'DOUBLE':
      return Number.isFinite(value);
    default:
      return Number.isSafeInteger(value);
  }
}
