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

/**
 * Roughly how many characters the event has as JSON.
 * @throws TypeError when a value does not fit its column
 */
export function sizeOf(event: EventRecord): number {
  let size = 0;
  for (const { name, type, required } of EVENT_COLUMNS) {
    const value = event[name];
    if (value === null && !required) continue;
    if (!fits(value, type)) throw new TypeError(`${name} cannot be ${String(value)} of type ${typeof value}`);
    size += typeof value === 'string' ? value.length + 2 : 8;
  }
  return size;
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
