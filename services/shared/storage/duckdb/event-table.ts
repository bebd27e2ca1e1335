/**
 * The table of events in DuckDB: its columns, how events become the column lists that the engine reads, and the statement
 * that stores them.
 */
import type { EventRecord } from '../../model/event-record.ts';
import { EVENT_COLUMNS, type EventColumn } from '../event-columns.ts';

/** The table that compiled queries read. */
export const EVENT_TABLE = 'events';

/**
 * The instant of the commit that stored the event, different for every commit; null before schema version 2. It is the
 * store's own: it tells which ids arrived within a day, whatever instants their events name, and whether a commit is
 * stored.
 */
export const COMMIT_COLUMN = 'received_at';

const COLUMN_NAMES: ReadonlySet<string> = new Set(EVENT_COLUMNS.map(({ name }) => name));

/** The statement that creates the table. No primary key on event_id: it would make the file 2.6 times larger. */
export const CREATE_EVENT_TABLE = `CREATE TABLE ${EVENT_TABLE} (${EVENT_COLUMNS.map(
  ({ name, type, required }) => `"${name}" ${type}${required ? ' NOT NULL' : ''}`,
).join(', ')}, "${COMMIT_COLUMN}" TIMESTAMP)`;

/**
 * The sorted runs: events that were stored after the previous run and up to `last_commit` are sorted by website and
 * instant. Later events are in the order of arrival.
 */
export const RUN_TABLE = 'tidegate_runs';
export const CREATE_RUN_TABLE = `CREATE TABLE ${RUN_TABLE} (last_commit TIMESTAMP NOT NULL, events BIGINT NOT NULL)`;

/** From schema version 1 to 2. Older events have no commit instant: they stay where they are. */
export const ADD_COMMIT_COLUMN = `ALTER TABLE ${EVENT_TABLE} ADD COLUMN "${COMMIT_COLUMN}" TIMESTAMP`;

/** From schema version 3 to 4. Older events have no value: their ids count as those of keyed senders. */
export const ADD_KEYLESS_COLUMN = `ALTER TABLE ${EVENT_TABLE} ADD COLUMN IF NOT EXISTS is_keyless BOOLEAN`;

/** How a JSON text holds events: a list per column as {@link toColumnLists} makes them, or an object per event as {@link toRows}. */
export type EventsForm = 'lists' | 'rows';

/**
 * The statement that stores the events of one JSON text in one commit; $2 is its instant in microseconds. `columns`: those
 * that have a value in some text; others are not read. The engine parses the text off the JavaScript thread. An absent
 * value counts as null; so would one of the wrong type, hence `sizeOf`. The cast avoids a new plan at every execution.
 */
export function insertEvents(columns: readonly EventColumn[], form: EventsForm): string {
  const select = form === 'lists' ? selectLists : selectRows;
  return `INSERT INTO ${EVENT_TABLE} (${columns.map(({ name }) => `"${name}"`).join(', ')}, "${COMMIT_COLUMN}")
${select(columns, ['make_timestamp($2::BIGINT)'])}`;
}

type TypedColumn = Pick<EventColumn, 'type'> & { readonly name: string };

/** The type of a column's values in JSON, for the engine. */
function jsonTypeOf({ type }: TypedColumn): string {
  return type === 'TIMESTAMP' ? 'BIGINT' : type;
}

function selected(
  columns: readonly TypedColumn[],
  others: readonly string[],
  value: (name: string) => string,
) {
  const values = columns.map(({ name, type }) =>
    type === 'TIMESTAMP' ? `epoch_ms(${value(name)}) AS "${name}"` : `${value(name)} AS "${name}"`,
  );
  return [...values, ...others].join(', ');
}

function selectRows(columns: readonly TypedColumn[], others: readonly string[]): string {
  const structure = [Object.fromEntries(columns.map((column) => [column.name, jsonTypeOf(column)]))];
  return `SELECT ${selected(columns, others, (name) => `event."${name}"`)}
FROM (SELECT unnest(from_json($1::VARCHAR, '${JSON.stringify(structure)}')) AS event)`;
}

/**
 * The rows of lists as {@link toColumnLists} makes them, in the types of the table; $1 is their JSON. An absent list
 * counts as nulls. `others`: further expressions.
 */
export function selectLists(columns: readonly TypedColumn[], others: readonly string[] = []): string {
  const structure = Object.fromEntries(columns.map((column) => [column.name, [jsonTypeOf(column)]]));
  return `SELECT ${selected(columns, others, (name) => `unnest(lists."${name}")`)}
FROM (SELECT from_json($1::VARCHAR, '${JSON.stringify(structure)}') AS lists)`;
}

/**
 * The values of each column, one per event; columns that are null in every event are left out. Each event is walked by its
 * own properties: reading each column by its name costs twice as much.
 */
export function toColumnLists(events: readonly EventRecord[]): Record<string, readonly unknown[]> {
  const lists = new Map<string, unknown[]>();
  let row = 0;
  for (const event of events) {
    for (const name in event) {
      const value = event[name as keyof EventRecord];
      if (value === null || value === undefined) continue;
      let list = lists.get(name);
      if (list === undefined) {
        if (!COLUMN_NAMES.has(name)) continue;
        list = nulls(events.length);
        lists.set(name, list);
      }
      list[row] = value;
    }
    row++;
  }
  return Object.fromEntries(lists);
}

/** A list without holes, which becomes JSON faster. */
function nulls(length: number): unknown[] {
  const list: unknown[] = [];
  for (let i = 0; i < length; i++) list.push(null);
  return list;
}

/** The values of each event that are not null. */
export function toRows(events: readonly EventRecord[]): Record<string, unknown>[] {
  return events.map((event) => {
    const row: Record<string, unknown> = {};
    for (const name in event) {
      const value = event[name as keyof EventRecord];
      if (value !== null && value !== undefined && COLUMN_NAMES.has(name)) row[name] = value;
    }
    return row;
  });
}
