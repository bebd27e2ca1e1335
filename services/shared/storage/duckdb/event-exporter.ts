/** Copies a website's events into a Parquet file with DuckDB, one copy at a time, each taking a turn like a query. */
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
import { OneCopyAtATime } from '../one-copy-at-a-time.ts';
import { EVENT_TABLE } from './event-table.ts';

/** How often the size of a growing copy is checked. */
const MEASURE_EVERY_MS = 50;

/** How many rows are held in memory before they are written: few, since one event may have 64 KB. */
const ROW_GROUP = 8_192;

/** How each copy is written. */
const COPY_OPTIONS = `(FORMAT parquet, COMPRESSION lz4_raw, ROW_GROUP_SIZE ${ROW_GROUP})`;

/** The columns of a copy, in order. */
function copiedColumns(columns: ExportSelection['columns']): string[] {
  return ['timestamp', 'is_bot', ...columns];
}

/** The folder of copies next to the event file: the only one, besides the store's own, that the engine may access. */
export function exportDirectoryOf(path: string): string {
  return `${path}.exports`;
}

/** Recreates the folder: what a killed process left in it is deleted. */
export function prepareExportDirectory(path: string): void {
  const directory = exportDirectoryOf(path);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { mode: 0o700 });
}

/** What a copy is made with. */
export interface CopySource {
  readonly connection: DuckDBConnection;
  /** Makes a SELECT over `events` one over what holds them; absent: a table of that name does. */
  over?(sql: string): string;
}

/** Lends a source of the selected events for one turn, as queries get one; ends early with the signal's reason. */
type UseSource = <R>(
  action: (source: CopySource) => Promise<R>,
  selection: ExportSelection,
  signal: AbortSignal,
) => Promise<R>;

/** {@link EventExporter} over a store's reading connections. */
export class DuckDbEventExporter implements EventExporter {
  readonly #use: UseSource;
  readonly #directory: string;
  readonly #turns = new OneCopyAtATime();

  /** `directory`: gets the copies; deleted when the exporter closes. */
  constructor(use: UseSource, directory: string) {
    this.#use = use;
    this.#directory = directory;
  }

  exportEvents(selection: ExportSelection, signal: AbortSignal): Promise<ExportedEvents> {
    return this.#turns.run(signal, () => this.#copy(selection, signal));
  }

  /** Waits for the copy in progress, then deletes every copy. */
  async close(): Promise<void> {
    await this.#turns.idle();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #copy(selection: ExportSelection, signal: AbortSignal): Promise<ExportedEvents> {
    const file = join(this.#directory, `${randomUUID()}.parquet`);
    const discard = () => rm(file, { force: true });
    const tooLarge = new AbortController();
    const measure = async () => {
      const size = await stat(file).then(
        (found) => found.size,
        () => 0,
      );
      if (size > selection.maxBytes) tooLarge.abort(new TooManyBytes());
    };
    const measuring = setInterval(() => void measure(), MEASURE_EVERY_MS);
    let ended: Promise<unknown> = Promise.resolve();
    const write = (source: CopySource) => {
      const rows = writeCopy(source, selection, file);
      ended = rows.catch(() => undefined);
      return rows;
    };
    try {
      const until = AbortSignal.any([signal, tooLarge.signal]);
      const rows = await this.#use(write, selection, until);
      if (rows > selection.maxRows) throw new TooManyRows(rows);
      await measure();
      tooLarge.signal.throwIfAborted();
      await chmod(file, 0o600);
      return { file, rows, discard };
    } catch (error) {
      // The engine may still write for a moment after it was interrupted.
      await ended;
      await discard();
      throw error;
    } finally {
      clearInterval(measuring);
    }
  }
}

/** The number of written rows, counted by the copy itself: counting first would read every row of the store twice. */
async function writeCopy(
  { connection, over = (sql) => sql }: CopySource,
  selection: ExportSelection,
  file: string,
): Promise<number> {
  const columns = copiedColumns(selection.columns)
    .map((name) => `"${name}"`)
    .join(', ');
  const events = over(`SELECT ${columns} FROM ${EVENT_TABLE} WHERE ${whereOf(selection)}`);
  const result = await connection.run(`COPY (${events}) TO '${quoted(file)}' ${COPY_OPTIONS}`);
  return Number((await result.getRows())[0]?.[0] ?? 0);
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
