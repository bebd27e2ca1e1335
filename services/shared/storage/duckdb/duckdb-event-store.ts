/** The embedded event store: one DuckDB file with one owner, group commit for appends, a bounded pool for queries. */
import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ApiError } from '../../errors/api-error.ts';
import type { EventRecord } from '../../model/event-record.ts';
import { type Clock, systemClock } from '../../ports/clock.ts';
import type { EventExporter } from '../../ports/event-export.ts';
import {
  type AppendOutcome,
  type CompiledQuery,
  type EventRead,
  type EventSelection,
  type EventStore,
  NO_REPEATS,
  type RawRow,
} from '../../ports/event-store.ts';
import type { ProfileEvents } from '../../ports/profile-events.ts';
import { EventChanges } from '../answers/event-changes.ts';
import { type AnswerStatus, answerKey, RememberedAnswers } from '../answers/remembered-answers.ts';
import { sizeOf } from '../event-columns.ts';
import { EventIdWindow, eventIdHash, REPEAT_WINDOW_MS } from '../event-id-window.ts';
import { profileEventsOver } from '../read-people.ts';
import { SingleFlight } from '../single-flight.ts';
import { AppendQueue } from './append-queue.ts';
import { COMPACTION, Compactor } from './compaction/compactor.ts';
import { copyOpenEvents, type EventCopyOptions } from './copy-open-events.ts';
import { DEFAULT_EVENT_ID_WINDOW, type DuckDbEventStoreOptions } from './duckdb-event-store-options.ts';
import { defaultThreads, type Engine, openEngine } from './engine.ts';
import { EngineOwner } from './engine-owner.ts';
import { DuckDbEventExporter, exportDirectoryOf } from './event-exporter.ts';
import { IdleCheckpoint } from './idle-checkpoint.ts';
import { loadEventIds } from './load-event-ids.ts';
import { type OwnerLock, takeOwnerLock } from './owner-lock.ts';
import { SQL_OF_PEOPLE } from './people-sql.ts';
import { QueryPool } from './query-pool.ts';
import { toStoreError } from './store-faults.ts';

/** How many events are erased in one commit: other maintenance gets its turn in between. */
const ERASED_AT_ONCE = 200_000;

interface Parts {
  readonly path: string;
  readonly owner: EngineOwner;
  readonly queries: QueryPool;
  readonly storedIds: EventIdWindow;
  readonly clock: Clock;
  readonly lock: OwnerLock;
}

/** {@link EventStore} over one DuckDB file. */
export class DuckDbEventStore implements EventStore {
  readonly profileEvents: ProfileEvents;
  readonly #parts: Parts;
  readonly #queue: AppendQueue;
  readonly #flights: SingleFlight<CompiledQuery>;
  readonly #changes = new EventChanges();
  readonly #answers: RememberedAnswers;
  /** Copies events for custom queries. */
  readonly exporter: EventExporter & { close(): Promise<void> };
  /** Sorts events in the background once it is started. */
  readonly compactor: Compactor;
  #closing: Promise<void> | null = null;

  constructor(parts: Parts, options: DuckDbEventStoreOptions) {
    this.#parts = parts;
    this.profileEvents = profileEventsOver(SQL_OF_PEOPLE, (query, { organizationId }) =>
      this.#flights.rows(query, undefined, organizationId),
    );
    this.exporter = new DuckDbEventExporter(
      (action, { organizationId }, signal) =>
        this.#read(() => parts.queries.use((connection) => action({ connection }), signal, organizationId)),
      exportDirectoryOf(parts.path),
    );
    this.compactor = new Compactor(
      (action) => parts.owner.maintain(action),
      options.compaction ?? COMPACTION,
      parts.clock,
    );
    this.#flights = new SingleFlight(
      (query, signal, party, began) => this.#read(() => parts.queries.run(query, signal, party, began)),
      ({ sql, params }) => JSON.stringify([sql, params]),
    );
    this.#answers = new RememberedAnswers(options.answersMb ?? 0);
    const checkpoint = new IdleCheckpoint({
      path: parts.path,
      tryMaintain: (action) => (this.compactor.isWiping ? null : parts.owner.tryMaintain(action)),
    });
    this.#queue = new AppendQueue({
      commit: async (events) => {
        try {
          return await parts.owner.commit(events);
        } finally {
          // Whatever came of it, queries from now on may see them.
          this.#flights.noticeWrite();
          this.#changes.noteAppended(events);
        }
      },
      storedIds: parts.storedIds,
      clock: parts.clock,
      mostWaiting: {
        events: options.maxWaitingEvents ?? 100_000,
        characters: options.maxWaitingCharacters ?? 256_000_000,
      },
      whenIdle: () => checkpoint.begin(),
    });
  }

  /** Commits attempted since the store was opened: shows how well appends share them. */
  get commits(): number {
    return this.#queue.commits;
  }

  /** Queries that shared another's run since the store was opened. */
  get sharedQueries(): number {
    return this.#flights.joined;
  }

  /** Of answers that are remembered. */
  get answers(): AnswerStatus {
    return this.#answers.status;
  }

  /** How often the file was closed and opened again after a fault. */
  get reopened(): number {
    return this.#parts.owner.reopened;
  }

  /** Events that are waiting for a commit. */
  get waitingEvents(): number {
    return this.#queue.waitingEvents;
  }

  async append(events: readonly EventRecord[]): Promise<AppendOutcome> {
    if (events.length === 0) return NO_REPEATS;
    return this.#queue.add(events, checkedSize(events));
  }

  async findRepeats(events: readonly EventRecord[]): Promise<readonly boolean[]> {
    const { storedIds, clock } = this.#parts;
    return events.map((event) => {
      const id = eventIdHash(event);
      return id !== null && storedIds.has(id, clock.now());
    });
  }

  /** Reads every event of the file; `reach` says whose query it is, absent: nobody's. */
  async run(query: CompiledQuery, { reach, signal }: Partial<EventRead> = {}): Promise<readonly RawRow[]> {
    if (reach === undefined) return this.#flights.rows(query, signal);
    signal?.throwIfAborted();
    const key = answerKey(query, reach);
    const changes = `${this.#changes.latestOf(reach)}`;
    const known = this.#answers.find(key, changes);
    if (known !== null) return known;
    const rows = await this.#flights.rows(query, signal, reach.organizationId);
    this.#answers.remember(key, changes, rows);
    return rows;
  }

  async erase(selection: EventSelection, signal?: AbortSignal): Promise<number> {
    const { owner, clock } = this.#parts;
    try {
      for (let erased = 0; ; ) {
        signal?.throwIfAborted();
        const step = await owner.maintain((engine) => engine.erase(selection, ERASED_AT_ONCE, clock.now()));
        this.#flights.noticeWrite();
        this.#changes.noteAll();
        erased += step;
        if (step < ERASED_AT_ONCE) return erased;
      }
    } catch (cause) {
      throw signal?.aborted ? signal.reason : toStoreError(cause);
    } finally {
      // A step that failed may have erased some all the same.
      this.#changes.noteAll();
      this.compactor.noticeErasure();
    }
  }

  /**
   * Copies the events that were acknowledged before this begins, and returns how many the copy holds. No event is erased
   * meanwhile.
   * @throws Error when it cannot be written
   */
  async copy(options: EventCopyOptions): Promise<number> {
    const outcome = await this.#parts.owner.maintain(async (engine) => {
      options.signal.throwIfAborted();
      // A fault of the copy is no reason to reopen the store's own file.
      return copyOpenEvents(engine, options).catch((fault: unknown) => ({ fault }));
    });
    if (typeof outcome !== 'number') throw outcome.fault;
    return outcome;
  }

  /** The folder into which {@link copy} may write; the next process deletes what a killed one leaves there. */
  get copyDirectory(): string {
    return exportDirectoryOf(this.#parts.path);
  }

  async #read<R>(read: () => Promise<R>): Promise<R> {
    const { owner, queries } = this.#parts;
    // While the file is being reopened, queries wait for their turn; when that fails, none waits.
    owner.usable().catch(() => queries.refuseAll());
    try {
      return await read();
    } catch (error) {
      owner.notice(error instanceof ApiError ? error.cause : error);
      throw error;
    }
  }

  async ping(): Promise<void> {
    await this.run({ engine: 'duckdb', sql: 'SELECT 1 AS alive', params: {} });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { owner, queries, lock } = this.#parts;
    await Promise.all([this.#queue.close(), queries.close(), this.compactor.stop()]);
    await this.exporter.close();
    try {
      await owner.close();
    } catch (cause) {
      throw toStoreError(cause);
    } finally {
      lock.release();
    }
  }
}

/** Roughly the number of characters in the events. @throws ApiError INTERNAL_ERROR when one cannot be stored */
function checkedSize(events: readonly EventRecord[]): number {
  try {
    return events.reduce((size, event) => size + sizeOf(event), 0);
  } catch (cause) {
    throw new ApiError('INTERNAL_ERROR', { cause });
  }
}

/** Code that copies the file while it is in use. */
export type EventCopier = Pick<DuckDbEventStore, 'copy' | 'copyDirectory'>;

/** Opens the store; afterwards, repeats are known. @throws Error that names the file and what to do. */
export async function createDuckDbEventStore(options: DuckDbEventStoreOptions): Promise<DuckDbEventStore> {
  const path = resolve(options.path);
  const clock = options.clock ?? systemClock;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const lock = takeOwnerLock(path);
  try {
    const storedIds = new EventIdWindow({
      size: options.eventIdWindow ?? DEFAULT_EVENT_ID_WINDOW,
      keepMs: REPEAT_WINDOW_MS,
    });
    const open = () => openWithIds(path, options, storedIds, clock);
    const engine = await open();
    const lastCommit = await closedOnFault(engine, () => engine.lastCommit());
    const queries = new QueryPool(engine.readers, options.maxWaitingQueries ?? 1_000);
    const owner = new EngineOwner(engine, { open, queries, clock, lastCommit });
    return new DuckDbEventStore({ path, owner, queries, storedIds, clock, lock }, options);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Opens the file, and loads the ids of its events into `storedIds`. */
async function openWithIds(
  path: string,
  options: DuckDbEventStoreOptions,
  storedIds: EventIdWindow,
  clock: Clock,
): Promise<Engine> {
  const engine = await openEngine({
    path,
    memoryLimit: options.memoryLimit ?? '1GB',
    threads: options.threads ?? defaultThreads(),
    readers: options.concurrentQueries ?? 3,
    ...(options.logBytes === undefined ? {} : { logBytes: options.logBytes }),
  });
  // After a reopening, only ids newer than the latest known one are loaded.
  const earliest = Math.max(clock.now() - REPEAT_WINDOW_MS, storedIds.latest);
  await closedOnFault(engine, () =>
    engine.withConnection((connection) => loadEventIds(connection, storedIds, earliest)),
  );
  return engine;
}

/** What `work` on a fresh engine returns. Where it fails, the engine is closed first: who tries again opens a second one beside it. */
async function closedOnFault<R>(engine: Engine, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    for (const reader of engine.readers) reader.closeSync();
    engine.close();
    throw error;
  }
}
