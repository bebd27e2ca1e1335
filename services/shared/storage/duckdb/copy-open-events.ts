/** Copies the events out of the open file: as of one instant, while appends and queries continue. */
import { randomUUID } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Engine } from './engine.ts';
import { COMMIT_COLUMN, EVENT_TABLE, RUN_TABLE } from './event-table.ts';
import { DATABASE, ROW_GROUP_ROWS, USE_DATABASE } from './file-layout.ts';
import { createTables } from './open-instance.ts';

/** Rows per step: each occupies a thread for a few tenths of a second. */
const STEP_ROWS = 2 * ROW_GROUP_ROWS;

/** An interrupt that arrives before the engine starts a statement is lost, so it is repeated at this interval. */
const INTERRUPT_EVERY_MS = 50;

export interface EventCopyOptions {
  /** The target file, which does not exist yet, in a folder that the engine may write. */
  readonly target: string;
  /** Awaited once the instant of the copy is fixed: no event is erased until it ends, or even later. */
  readonly begun: () => Promise<void>;
  /** `rows` of `ofRows` were read. */
  readonly onProgress: (rows: number, ofRows: number) => void;
  /** Aborts the copy, with its reason. */
  readonly signal: AbortSignal;
}

/**
 * Copies every event that is committed when this begins, whole commits only, and returns their number. The caller
 * deletes what an aborted copy left in `target`. Call it while nothing else changes stored events; events appended
 * meanwhile are left out.
 * @throws Error when the copy cannot be written, or does not hold what was read
 */
export async function copyOpenEvents(engine: Engine, options: EventCopyOptions): Promise<number> {
  const { target, signal } = options;
  const connection = await engine.connect();
  const name = `copy_${randomUUID().replaceAll('-', '')}`;
  const interrupting = setInterval(() => {
    if (signal.aborted) connection.interrupt();
  }, INTERRUPT_EVERY_MS);
  try {
    await connection.run(
      `ATTACH '${target.replaceAll("'", "''")}' AS ${name} (ROW_GROUP_SIZE ${ROW_GROUP_ROWS})`,
    );
    try {
      await connection.run(`USE ${name}`);
      await createTables(connection, target);
      await connection.run(USE_DATABASE);
      const events = await inTransaction(connection, () => fill(connection, name, options));
      // Writes the log of the copy into its file, so that one file is the whole copy.
      await connection.run(`CHECKPOINT ${name}`);
      return events;
    } finally {
      clearInterval(interrupting);
      // What failed within a transaction would keep the copy attached.
      await connection.run('ROLLBACK').catch(() => undefined);
      await connection.run(USE_DATABASE).catch(() => undefined);
      await connection.run(`DETACH ${name}`).catch(() => undefined);
    }
  } catch (fault) {
    signal.throwIfAborted();
    throw fault;
  } finally {
    clearInterval(interrupting);
    connection.closeSync();
  }
}

/** All in one transaction, so that each step reads the store as of the same instant. */
async function fill(
  connection: DuckDBConnection,
  copy: string,
  { begun, onProgress, signal }: EventCopyOptions,
): Promise<number> {
  const read = (sql: string) => connection.runAndReadAll(sql).then((reader) => reader.getRows()[0] ?? []);
  // The first read fixes the instant.
  const [last] = await read(`SELECT max(rowid)::DOUBLE FROM ${DATABASE}.${EVENT_TABLE}`);
  await begun();
  const rows = last === null ? 0 : Number(last) + 1;
  for (let from = 0; from < rows; from += STEP_ROWS) {
    signal.throwIfAborted();
    onProgress(from, rows);
    await connection.run(
      `INSERT INTO ${copy}.${EVENT_TABLE} BY NAME SELECT * FROM ${DATABASE}.${EVENT_TABLE}
       WHERE rowid >= ${from} AND rowid < ${from + STEP_ROWS}`,
    );
  }
  onProgress(rows, rows);
  await connection.run(`INSERT INTO ${copy}.${RUN_TABLE} BY NAME SELECT * FROM ${DATABASE}.${RUN_TABLE}`);
  const [events, checksum] = await read(contentOf(DATABASE));
  const [copied, checksumOfCopy] = await read(contentOf(copy));
  signal.throwIfAborted();
  if (String(copied) !== String(events) || String(checksumOfCopy) !== String(checksum)) {
    throw new Error(`the copy holds ${copied} events, the store holds ${events}: the copy is not whole`);
  }
  return Number(events);
}

/** How many events there are, and which. */
function contentOf(database: string): string {
  return `SELECT count(*), sum(hash(event_id, "timestamp", "${COMMIT_COLUMN}"))::VARCHAR FROM ${database}.${EVENT_TABLE}`;
}

async function inTransaction<R>(connection: DuckDBConnection, work: () => Promise<R>): Promise<R> {
  await connection.run('BEGIN');
  try {
    const result = await work();
    await connection.run('COMMIT');
    return result;
  } catch (fault) {
    await connection.run('ROLLBACK').catch(() => undefined);
    throw fault;
  }
}
