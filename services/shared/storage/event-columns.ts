/** The columns of events and their types: what every event store keeps of each, and what it refuses. */
import { type EventRecord, NUMBER_COLUMNS, TEXT_COLUMNS } from '../model/event-record.ts';

/** Number columns with whole numbers; the others may hold fractions of a second or of a metric. */
const WHOLE_NUMBERS: ReadonlySet<string> = new Set(['interaction_count', 'page_count', 'lineno', 'colno']);

export interface EventColumn {
  readonly name: keyof EventRecord;
  readonly type: 'VARCHAR' | 'BIGINT' | 'DOUBLE' | 'BOOLEAN' | 'TIMESTAMP';
  readonly required: boolean;
}

/** Every column, in the order of the table. `timestamp` is an instant in UTC. */
export const EVENT_COLUMNS: readonly EventColumn[] = [
  { name: 'organization_id', type: 'VARCHAR', required: true },
  { name: 'timestamp', type: 'TIMESTAMP', required: true },
  { name: 'is_bot', type: 'BOOLEAN', required: true },
  { name: 'is_keyless', type: 'BOOLEAN', required: false },
  ...TEXT_COLUMNS.map((name) => ({ name, type: 'VARCHAR' as const, required: name === 'event_name' })),
  ...NUMBER_COLUMNS.map((name) => ({
    name,
    type: WHOLE_NUMBERS.has(name) ? ('BIGINT' as const) : ('DOUBLE' as const),
    required: false,
  })),
];

const COLUMN_OF: ReadonlyMap<string, EventColumn> = new Map(
  EVENT_COLUMNS.map((column) => [column.name, column]),
);
const REQUIRED = EVENT_COLUMNS.filter(({ required }) => required).length;

/**
 * Roughly how many characters the event has as JSON. It is walked by its own properties, most of which are null: reading
 * each column by its name costs three times as much.
 * @throws TypeError when a value does not fit its column, or is absent
 */
export function sizeOf(event: EventRecord): number {
  let size = 0;
  let [there, required] = [0, 0];
  for (const name in event) {
    const value = event[name as keyof EventRecord];
    const column = value === null ? null : COLUMN_OF.get(name);
    if (column === undefined) continue;
    there++;
    if (column === null) continue;
    if (column.required) required++;
    if (!fits(value, column.type)) throw misfit(column, value);
    size += typeof value === 'string' ? value.length + 2 : 8;
  }
  const missing = there < EVENT_COLUMNS.length || required < REQUIRED ? missingIn(event) : undefined;
  if (missing !== undefined) throw misfit(missing, event[missing.name]);
  return size;
}

/** A column whose value is absent, or null where one is required. */
function missingIn(event: EventRecord): EventColumn | undefined {
  return EVENT_COLUMNS.find(({ name, required }) =>
    required ? (event[name] ?? null) === null : event[name] === undefined,
  );
}

function misfit({ name }: EventColumn, value: unknown): TypeError {
  return new TypeError(`${name} cannot be ${String(value)} of type ${typeof value}`);
}

function fits(value: unknown, type: EventColumn['type']): boolean {
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
