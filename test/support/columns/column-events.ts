/** A column store over arrivals in memory and segments in a folder, which may stand in for an event store. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EventRecord } from '../../../services/shared/model/event-record.ts';
import type { EventExporter } from '../../../services/shared/ports/event-export.ts';
import { NO_REPEATS } from '../../../services/shared/ports/event-store.ts';
import {
  ColumnStore,
  type ColumnStoreOptions,
} from '../../../services/shared/storage/columns/column-store.ts';
import { type Partition, partitionId } from '../../../services/shared/storage/columns/partition.ts';
import type { ReadableEvents } from '../readable-events.ts';
import { createTempDirectory } from '../temp-directory.ts';
import { ArrivalLog, type LoggedWriter } from './arrival-log.ts';
import { SegmentShelf } from './segment-shelf.ts';

export interface ColumnEvents {
  readonly log: ArrivalLog;
  readonly shelf: SegmentShelf;
  /** The folder of the cache. */
  readonly cache: string;
  readonly store: ColumnStore;
  /** Moves the steady time that the store sees, in milliseconds. */
  advance(ms: number): void;
  /** Stores events as one group, which is settled at once. */
  append(events: readonly EventRecord[]): void;
  /** Opens a further store over the same. */
  open(options?: Partial<ColumnStoreOptions>): Promise<ColumnStore>;
  /** Closes every store, and removes everything. */
  remove(): Promise<void>;
}

export async function columnEvents(options: Partial<ColumnStoreOptions> = {}): Promise<ColumnEvents> {
  const directory = createTempDirectory();
  const log = new ArrivalLog();
  mkdirSync(directory.file('shelf'));
  const shelf = new SegmentShelf(directory.file('shelf'), log);
  const cache = directory.file('cache');
  const stores: ColumnStore[] = [];
  let now = 0;
  let writer: LoggedWriter | null = null;
  const open = async (more: Partial<ColumnStoreOptions> = {}) => {
    const store = await ColumnStore.open({
      arrivals: log,
      segments: shelf,
      builds: shelf,
      directory: cache,
      cacheBytes: 100_000_000,
      memoryLimit: '512MB',
      threads: 1,
      followEveryMs: 0,
      steadyNow: () => now,
      ...options,
      ...more,
    });
    stores.push(store);
    return store;
  };
  return {
    log,
    shelf,
    cache,
    store: await open(),
    advance: (ms) => {
      now += ms;
    },
    append(events) {
      writer ??= log.begin();
      log.store(writer, ++writer.settled, events);
    },
    open,
    async remove() {
      await Promise.all(stores.map((store) => store.close()));
      directory.remove();
    },
  };
}

/** An event store over columns, and the folder of its copies. */
export interface ColumnEventStore extends ReadableEvents {
  readonly exporter: EventExporter;
  readonly exports: string;
}

/** An event store whose events lie half in segments and half in the tail: it builds at every second append. */
export async function openColumnEvents(): Promise<ColumnEventStore> {
  const events = await columnEvents();
  const partitions = new Map<string, Partition>();
  let appends = 0;
  const half = async (records: readonly EventRecord[]) => {
    events.append(records);
    for (const { organization_id: organizationId, website_id: websiteId } of records) {
      const partition = { organizationId, websiteId };
      partitions.set(partitionId(partition), partition);
    }
    if (++appends % 2 === 0) return;
    for (const partition of partitions.values()) await events.shelf.build(partition);
  };
  return {
    exporter: events.store.exporter,
    exports: join(events.cache, '0', 'exports'),
    get profileEvents(): never {
      throw new Error('nobody is asked of here');
    },
    async append(records) {
      const middle = Math.ceil(records.length / 2);
      await half(records.slice(0, middle));
      await half(records.slice(middle));
      return NO_REPEATS;
    },
    async run(query, read) {
      if (!read?.reach) throw new TypeError('it reads what a reach names');
      return events.store.run(query, { ...read, reach: read.reach });
    },
    erase: () => Promise.reject(new Error('nothing is erased here')),
    findRepeats: () => Promise.reject(new Error('nothing is repeated here')),
    ping: () => Promise.resolve(),
    close: () => events.remove(),
  };
}
