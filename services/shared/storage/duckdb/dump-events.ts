/** Reads every event out of a file that no process has open, in the order of its rows, for a copy of the installation. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import type { EventRecord } from '../../model/event-record.ts';
import { EVENT_COLUMNS } from '../event-columns.ts';
import { COMMIT_COLUMN, EVENT_TABLE, RUN_TABLE } from './event-table.ts';
import { SCHEMA_VERSION } from './open-instance.ts';
import { openReadOnly } from './read-only-file.ts';

/** How many events, and roughly how many characters of text, one page may have. */
const PAGE_EVENTS = 4_096;
const PAGE_CHARACTERS = 16_000_000;

/** An event, and what else the file knows about it. */
export interface DumpedEvent {
  /** Its row in the file: ascending, and stable as long as no server opens the file. */
  readonly row: number;
  /** When it was stored, in milliseconds; null: by a version that did not keep this. */
  readonly receivedAt: number | null;
  readonly event: EventRecord;
}

export interface EventDump {
  readonly events: number;
  /** Stays the same as long as every row keeps its position. */
  readonly fingerprint: string;
  /** The events after a row; -1 for all. One read at a time. */
  pages(afterRow: number): AsyncGenerator<DumpedEvent[]>;
  /** Releases the file. */
  close(): void;
}

/**
 * Opens the file; a missing one holds no events.
 * @throws Error while another process has it open, or when it is of another schema version
 */
export async function openEventDump(path: string): Promise<EventDump> {
  if (!existsSync(path)) return NO_EVENTS;
  const file = await openReadOnly(path);
  try {
    if (file.schemaVersion !== SCHEMA_VERSION) throw new Error(versionText(path, file.schemaVersion));
    const { connection } = file;
    return {
      ...(await stateOf(connection)),
      pages: (afterRow) => pagesOf(connection, afterRow),
      close: () => file.close(),
    };
  } catch (fault) {
    file.close();
    throw fault;
  }
}

const NO_EVENTS: EventDump = {
  events: 0,
  fingerprint: 'no file',
  async *pages() {},
  close() {},
};

function versionText(path: string, version: number): string {
  const advice =
    version < SCHEMA_VERSION
      ? 'run tidegate migrate without MONGODB_URI first.'
      : 'use the newer one that wrote it.';
  return `The event store ${path} has schema version ${version}, this version of Tidegate reads ${SCHEMA_VERSION}: ${advice}`;
}

/**
 * How many rows there are, which ones, of which commits, and how they were sorted: any change by a server changes one of
 * these.
 */
async function stateOf(connection: DuckDBConnection): Promise<{ events: number; fingerprint: string }> {
  const reader = await connection.runAndReadAll(
    `SELECT count(*), max(rowid), sum(rowid)::VARCHAR, epoch_us(max("${COMMIT_COLUMN}")),
       (SELECT string_agg(epoch_us(last_commit) || ' ' || events, ',' ORDER BY last_commit) FROM ${RUN_TABLE})
     FROM ${EVENT_TABLE}`,
  );
  const row = reader.getRows()[0] ?? [];
  const fingerprint = createHash('sha256').update(row.map(String).join('\n')).digest('hex');
  return { events: Number(row[0]), fingerprint };
}

const EVENTS = `SELECT rowid::DOUBLE, epoch_ms("${COMMIT_COLUMN}")::DOUBLE, ${EVENT_COLUMNS.map(
  ({ name, type }) => {
    if (type === 'TIMESTAMP') return `epoch_ms("${name}")::DOUBLE`;
    return type === 'BIGINT' ? `"${name}"::DOUBLE` : `"${name}"`;
  },
).join(', ')} FROM ${EVENT_TABLE}`;

async function* pagesOf(connection: DuckDBConnection, afterRow: number): AsyncGenerator<DumpedEvent[]> {
  const result = await connection.stream(`${EVENTS} WHERE rowid > ${BigInt(afterRow)}`);
  let page: DumpedEvent[] = [];
  let characters = 0;
  let last = afterRow;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) break;
    for (const dumped of eventsOf(chunk)) {
      // The engine keeps the order of rows; a copy that continues after the last row relies on that.
      if (dumped.row <= last) throw new Error(`row ${dumped.row} came behind row ${last}`);
      last = dumped.row;
      page.push(dumped);
      characters += charactersOf(dumped.event);
      if (page.length < PAGE_EVENTS && characters < PAGE_CHARACTERS) continue;
      yield page;
      page = [];
      characters = 0;
    }
  }
  if (page.length > 0) yield page;
}

function* eventsOf(chunk: DuckDBDataChunk): Generator<DumpedEvent> {
  const rows = chunk.getColumnVector(0);
  const commits = chunk.getColumnVector(1);
  const columns = EVENT_COLUMNS.map(({ name }, i) => ({ name, vector: chunk.getColumnVector(i + 2) }));
  for (let row = 0; row < chunk.rowCount; row++) {
    const event: Record<string, unknown> = {};
    for (const { name, vector } of columns) event[name] = vector.getItem(row);
    const received = commits.getItem(row);
    yield {
      row: Number(rows.getItem(row)),
      receivedAt: received === null ? null : Number(received),
      event: event as EventRecord,
    };
  }
}

function charactersOf(event: EventRecord): number {
  return (event.properties?.length ?? 0) + (event.stack?.length ?? 0) + (event.message?.length ?? 0) + 1_000;
}
