/** Copies a website's events out of the DuckDB file into a Parquet file, one copy at a time, on a connection of its own. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { chmod, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import {
  type EventExporter,
  type ExportedEvents,
  type ExportSelection,
  TooManyBytes,
  TooManyRows,
} from '../../ports/event-export.ts';
import { EVENT_TABLE } from './event-table.ts';
import { toStoreError, unavailable } from './store-faults.ts';

/** An interrupt that comes before the engine starts a statement is lost, so it is repeated this often. */
const INTERRUPT_EVERY_MS = 20;

/** The size of a copy is looked at this often while it grows. */
const MEASURE_EVERY_MS = 50;

/** Rows that are held in memory before they are written: few, since one event may have 64 KB. */
const ROW_GROUP = 8_192;

/** The folder of copies beside the file of events: the only one, besides the store's own, that the engine may write. */
export function exportDirectoryOf(path: string): string {
  return `${path}.exports`;
}

/** Makes the folder anew: what a killed process left in it is deleted. */
export function prepareExportDirectory(path: string): void {
  const directory = exportDirectoryOf(path);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { mode: 0o700 });
}

/** {@link EventExporter} over one connection of the store. */
export class DuckDbEventExporter implements EventExporter {
  readonly #connection: DuckDBConnection;
  readonly #directory: string;
  /** Ends when the latest copy does. */
  #latest: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(connection: DuckDBConnection, path: string) {
    this.#connection = connection;
    this.#directory = exportDirectoryOf(path);
  }

  exportEvents(selection: ExportSelection, signal: AbortSignal): Promise<ExportedEvents> {
    const copy = this.#latest.then(() => {
      if (this.#closed) throw unavailable(new Error('the event store is closed'));
      signal.throwIfAborted();
      return this.#copy(selection, signal);
    });
    this.#latest = copy.catch(() => undefined);
    return copy;
  }

  /** Waits for the copy that is made, then deletes every copy. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#latest;
    this.#connection.closeSync();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #copy(selection: ExportSelection, signal: AbortSignal): Promise<ExportedEvents> {
    const file = join(this.#directory, `${randomUUID()}.parquet`);
    const discard = () => rm(file, { force: true });
    let interrupting: NodeJS.Timeout | undefined;
    let hasEnded = false;
    const interrupt = () => {
      if (hasEnded) return;
      this.#connection.interrupt();
      interrupting ??= setInterval(() => this.#connection.interrupt(), INTERRUPT_EVERY_MS);
    };
    signal.addEventListener('abort', interrupt, { once: true });
    let isTooLarge = false;
    const measure = async () => {
      const size = await stat(file).then(
        (found) => found.size,
        () => 0,
      );
      if (size <= selection.maxBytes) return;
      isTooLarge = true;
      interrupt();
    };
    const measuring = setInterval(() => void measure(), MEASURE_EVERY_MS);
    try {
      const where = whereOf(selection);
      const columns = ['timestamp', 'is_bot', ...selection.columns].map((name) => `"${name}"`).join(', ');
      // Counted by the copy itself: to count first would read every row of the store twice.
      const result = await this.#connection.run(
        `COPY (SELECT ${columns} FROM ${EVENT_TABLE} WHERE ${where}) ` +
          `TO '${quoted(file)}' (FORMAT parquet, COMPRESSION lz4_raw, ROW_GROUP_SIZE ${ROW_GROUP})`,
      );
      const rows = Number((await result.getRows())[0]?.[0] ?? 0);
      if (rows > selection.maxRows) throw new TooManyRows(rows);
      await measure();
      if (isTooLarge) throw new TooManyBytes();
      await chmod(file, 0o600);
      return { file, rows, discard };
    } catch (error) {
      hasEnded = true;
      clearInterval(interrupting);
      await discard();
      signal.throwIfAborted();
      if (isTooLarge) throw new TooManyBytes();
      throw error instanceof TooManyRows ? error : toStoreError(error);
    } finally {
      hasEnded = true;
      clearInterval(measuring);
      signal.removeEventListener('abort', interrupt);
      clearInterval(interrupting);
    }
  }
}

/** COPY takes no parameters, so identifiers are quoted here. */
function whereOf({ organizationId, websiteId, from, to }: ExportSelection): string {
  const parts = [`organization_id = '${quoted(organizationId)}'`, `website_id = '${quoted(websiteId)}'`];
  if (from !== null) parts.push(`"timestamp" >= make_timestamp_ms(${wholeMs(from)})`);
  if (to !== null) parts.push(`"timestamp" < make_timestamp_ms(${wholeMs(to)})`);
  return parts.join(' AND ');
}

function quoted(text: string): string {
  return text.replaceAll("'", "''");
}

function wholeMs(instant: number): string {
  if (!Number.isSafeInteger(instant)) throw new TypeError(`${instant} is no instant`);
  return String(instant);
}
