/** Copies a website's events out of MongoDB into a Parquet file, one copy at a time, each taking a turn like a query. */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { chmod, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { mongo } from 'mongoose';
import {
  type EventExporter,
  type ExportedEvents,
  type ExportSelection,
  TooManyBytes,
  TooManyRows,
} from '../../ports/event-export.ts';
import { copiedColumns } from '../duckdb/event-exporter.ts';
import { ParquetCopy } from '../duckdb/parquet-copy.ts';
import { OneCopyAtATime } from '../one-copy-at-a-time.ts';
import { EVENT_COLLECTION, type EventDocument, toEventRecord } from './event-document.ts';
import { toQueryError } from './event-faults.ts';
import type { EventQueries } from './event-queries.ts';

/** How many rows, and roughly how many characters, are held in memory before they are written. */
const PART_ROWS = 8_192;
const PART_CHARACTERS = 16_000_000;

/** Distinguishes this process from one that had its pid before. */
const PROCESS = `${process.pid}-${randomUUID()}`;

/** How long the server may work on one copy, in milliseconds. */
const COPY_MS = 120_000;

/** {@link EventExporter} over the collection of events. */
export class MongodbEventExporter implements EventExporter {
  readonly #events: mongo.Collection;
  readonly #queries: EventQueries;
  readonly #root: string;
  /** The folder of this process; null before the first copy. */
  #directory: string | null = null;
  readonly #turns = new OneCopyAtATime();

  constructor(database: mongo.Db, queries: EventQueries, exportDirectory: string) {
    this.#events = database.collection(EVENT_COLLECTION);
    this.#queries = queries;
    this.#root = exportDirectory;
    removeLeftovers(exportDirectory);
  }

  exportEvents(selection: ExportSelection, signal: AbortSignal): Promise<ExportedEvents> {
    return this.#turns.run(signal, () => this.#copy(selection, signal));
  }

  /** Waits for the copy in progress, then deletes every copy. */
  async close(): Promise<void> {
    await this.#turns.idle();
    if (this.#directory !== null) rmSync(this.#directory, { recursive: true, force: true });
  }

  async #copy(selection: ExportSelection, signal: AbortSignal): Promise<ExportedEvents> {
    this.#directory ??= makeDirectory(this.#root);
    const name = randomUUID();
    const file = join(this.#directory, `${name}.parquet`);
    const discard = () => rm(file, { force: true });
    const ended = new AbortController();
    const leave = () => ended.abort(signal.reason);
    setMaxListeners(0, signal);
    signal.addEventListener('abort', leave, { once: true });
    let writing: Promise<unknown> = Promise.resolve();
    const write = async () => {
      const copy = await ParquetCopy.begin(this.#directory ?? '', selection.columns, name);
      try {
        ended.signal.addEventListener('abort', () => copy.interrupt(), { once: true });
        return await this.#write(copy, selection, file, ended.signal);
      } finally {
        await copy.close();
      }
    };
    try {
      const rows = await this.#queries.use(
        () => {
          const running = write();
          writing = running.catch(() => undefined);
          return running;
        },
        signal,
        selection.organizationId,
      );
      await chmod(file, 0o600);
      return { file, rows, discard };
    } catch (fault) {
      ended.abort(fault);
      await writing;
      await discard();
      if (signal.aborted) throw signal.reason;
      const isBound = fault instanceof TooManyRows || fault instanceof TooManyBytes;
      throw isBound ? fault : toQueryError(fault, COPY_MS / 1000);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** The number of written rows. */
  async #write(
    copy: ParquetCopy,
    selection: ExportSelection,
    file: string,
    signal: AbortSignal,
  ): Promise<number> {
    let rows = 0;
    for await (const part of partsOf(this.#find(selection, signal))) {
      rows += part.length;
      if (rows > selection.maxRows) throw new TooManyRows(await this.#count(selection, signal));
      await copy.add(part.map(toEventRecord));
      signal.throwIfAborted();
      if (copy.bytes > selection.maxBytes) throw new TooManyBytes();
    }
    signal.throwIfAborted();
    await copy.finish(file);
    if ((await stat(file)).size > selection.maxBytes) throw new TooManyBytes();
    return rows;
  }

  /** From the primary, whatever the connection string says: the copy has every event that was acknowledged before. */
  #find(selection: ExportSelection, signal: AbortSignal): AsyncIterable<EventDocument> {
    const projection = Object.fromEntries(copiedColumns(selection.columns).map((column) => [column, 1]));
    return this.#events.find<EventDocument>(filterOf(selection), {
      projection: { ...projection, _id: 0 },
      readPreference: 'primary',
      maxTimeMS: COPY_MS,
      comment: 'tidegate export',
      signal,
    });
  }

  #count(selection: ExportSelection, signal: AbortSignal): Promise<number> {
    return this.#events.countDocuments(filterOf(selection), {
      readPreference: 'primary',
      maxTimeMS: COPY_MS,
      signal,
    });
  }
}

/** Served by the index website_timestamp. */
function filterOf({ organizationId, websiteId, from, to }: ExportSelection): mongo.Filter<mongo.Document> {
  const range = { ...(from === null ? {} : { $gte: from }), ...(to === null ? {} : { $lt: to }) };
  return {
    website_id: websiteId,
    organization_id: organizationId,
    ...(from === null && to === null ? {} : { timestamp: range }),
  };
}

/** The documents in lists that are small enough to be held at once. */
async function* partsOf(documents: AsyncIterable<EventDocument>): AsyncGenerator<EventDocument[]> {
  let part: EventDocument[] = [];
  let characters = 0;
  for await (const document of documents) {
    part.push(document);
    for (const value of Object.values(document)) characters += typeof value === 'string' ? value.length : 8;
    if (part.length < PART_ROWS && characters < PART_CHARACTERS) continue;
    yield part;
    part = [];
    characters = 0;
  }
  if (part.length > 0) yield part;
}

/** A folder that only this user may read, for this store alone: other processes of the machine copy at the same time. */
function makeDirectory(root: string): string {
  const directory = join(root, PROCESS, randomUUID());
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return directory;
}

/** Deletes what ended processes left behind. */
function removeLeftovers(root: string): void {
  for (const name of namesIn(root)) {
    const pid = Number(/^(\d+)-[0-9a-f-]{36}$/.exec(name)?.[1]);
    const isLeft = pid === process.pid ? name !== PROCESS : pid > 0 && !runs(pid);
    if (isLeft) rmSync(join(root, name), { recursive: true, force: true });
  }
}

function namesIn(root: string): string[] {
  try {
    return readdirSync(root);
  } catch {
    return [];
  }
}

/** Whether another process of this machine has this pid. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return (fault as { code?: unknown }).code === 'EPERM';
  }
}
