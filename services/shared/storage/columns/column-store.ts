/** Answers queries from segments on disk and tails in memory: the read side of events that a database keeps. */
import { setMaxListeners } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { EventExporter, ExportSelection } from '../../ports/event-export.ts';
import type { CompiledQuery, EventReach, EventRead, RawRow } from '../../ports/event-store.ts';
import { type AnswerStatus, answerKey, RememberedAnswers } from '../answers/remembered-answers.ts';
import { overSource } from '../duckdb/columns/events-source.ts';
import { type CopySource, DuckDbEventExporter } from '../duckdb/event-exporter.ts';
import { unavailable } from '../duckdb/store-faults.ts';
import { SingleFlight } from '../single-flight.ts';
import { type CacheFolder, takeCacheFolder } from './cache-folder.ts';
import { EngineOfReaders, type RunningEngine } from './engine-of-readers.ts';
import { type HeldEvents, holdEvents } from './held-events.ts';
import { SegmentCache } from './segment-cache.ts';
import type { ArrivalSource, SegmentBuilds, SegmentSource } from './sources.ts';

export interface ColumnStoreOptions {
  readonly arrivals: ArrivalSource;
  readonly segments: SegmentSource;
  readonly builds: SegmentBuilds;
  /** A folder on this machine; each process takes one of its own within. */
  readonly directory: string;
  /** How many bytes the files of segments may have there. */
  readonly cacheBytes: number;
  /** Memory of the engine, such as `1GB` (the default). */
  readonly memoryLimit?: string;
  /** Threads of the engine, which a query may use besides its own; default: half of the processors, at most 4. */
  readonly threads?: number;
  /** How many queries run at once; default 4. */
  readonly concurrentQueries?: number;
  /** How many queries may wait for their turn; default 1,000. */
  readonly maxWaitingQueries?: number;
  /** How often partitions that were asked for lately are read, in milliseconds; default 500, 0: never. */
  readonly followEveryMs?: number;
  /** How long a query waits for the first segments of a website, in milliseconds; default: 5 s less than a gateway waits for it. */
  readonly firstWaitMs?: number;
  /** Megabytes of answers that are kept until an event that they read changes; default 0: none. */
  readonly answersMb?: number;
  /** Milliseconds that never run backwards; default: those of this process. */
  readonly steadyNow?: () => number;
}

interface Asked {
  readonly query: CompiledQuery;
  readonly reach: EventReach;
}

/** What a turn works with: a connection, what a statement over events reads, and the state of these events. */
type Read<R> = (engine: RunningEngine['engine'], source: Required<CopySource>, changes: string) => Promise<R>;

/** Called when the turn has come; whether callers joined since the events were looked at, who must see later ones. */
type Begin = () => boolean;

export class ColumnStore {
  /** Copies events for custom queries. */
  readonly exporter: EventExporter;
  readonly #copies: DuckDbEventExporter;
  readonly #builds: SegmentBuilds;
  readonly #folder: CacheFolder;
  readonly #cache: SegmentCache;
  readonly #engines: EngineOfReaders;
  readonly #answers: RememberedAnswers;
  readonly #flights: SingleFlight<Asked>;
  #closing: Promise<void> | null = null;

  private constructor(options: ColumnStoreOptions, folder: CacheFolder, cache: SegmentCache) {
    this.#builds = options.builds;
    this.#folder = folder;
    this.#cache = cache;
    this.#answers = new RememberedAnswers(options.answersMb ?? 0);
    const spill = join(folder.path, 'spill');
    const exports = join(folder.path, 'exports');
    this.#engines = new EngineOfReaders({
      engine: {
        memoryLimit: options.memoryLimit ?? '1GB',
        threads: options.threads ?? Math.min(4, Math.ceil(availableParallelism() / 2)),
        concurrentQueries: options.concurrentQueries ?? 4,
        maxWaitingQueries: options.maxWaitingQueries ?? 1_000,
        directories: [spill, join(folder.path, 'segments'), exports],
      },
      sources: options,
      followEveryMs: options.followEveryMs ?? 500,
      firstWaitMs: options.firstWaitMs ?? 25_000,
      now: options.steadyNow ?? (() => performance.now()),
    });
    this.#flights = new SingleFlight(
      (asked, signal, _party, began, callers) => this.#answer(asked, signal, began, callers),
      ({ query: { sql, params }, reach }) => JSON.stringify([sql, params, reach]),
    );
    this.#copies = new DuckDbEventExporter(
      (action, selection, signal) =>
        this.#read(
          reachOf(selection),
          signal,
          (_, source) => action(source),
          () => false,
        ),
      exports,
    );
    this.exporter = this.#copies;
  }

  /** Opens the cache; the engine starts with the first query. @throws Error when the folder cannot be used */
  static async open(options: ColumnStoreOptions): Promise<ColumnStore> {
    const folder = await takeCacheFolder(options.directory);
    try {
      // A killed process may have left something there.
      for (const name of ['exports', 'spill']) {
        await rm(join(folder.path, name), { recursive: true, force: true });
        await mkdir(join(folder.path, name), { mode: 0o700 });
      }
      const cache = await SegmentCache.open({
        directory: join(folder.path, 'segments'),
        maxBytes: options.cacheBytes,
        source: options.segments,
      });
      return new ColumnStore(options, folder, cache);
    } catch (fault) {
      folder.release();
      throw fault;
    }
  }

  /** Queries that shared another's run since the store was opened. */
  get sharedQueries(): number {
    return this.#flights.joined;
  }

  /** Of answers that are remembered. */
  get answers(): AnswerStatus {
    return this.#answers.status;
  }

  /** Partitions that are held. */
  get partitions(): number {
    return this.#engines.partitions;
  }

  /** Files of segments that were downloaded since the store was opened. */
  get downloads(): number {
    return this.#cache.downloads;
  }

  /**
   * Implements `run` of EventStore: the rows of a compiled query over every event of the reach that was acknowledged
   * before the call.
   */
  run(query: CompiledQuery, { reach, signal }: EventRead): Promise<readonly RawRow[]> {
    if (signal) setMaxListeners(0, signal);
    return this.#flights.rows({ query, reach }, signal, reach.organizationId);
  }

  /** Refuses waiting queries, lets running ones end, then closes; the files stay for the next process. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#engines.close();
      await this.#copies.close();
      await this.#cache.close();
    } finally {
      this.#folder.release();
    }
  }

  #answer({ query, reach }: Asked, signal: AbortSignal, began: () => void, callers: () => number) {
    const before = callers();
    const begin = () => {
      const isLate = callers() > before;
      began();
      // Other processes write: whoever asks from now on looks anew.
      this.#flights.noticeWrite();
      return isLate;
    };
    const key = answerKey(query, reach);
    const read: Read<readonly RawRow[]> = async ({ queries }, { connection, over }, changes) => {
      const rows = await queries.select(connection, { ...query, sql: over(query.sql) }, signal);
      this.#answers.remember(key, changes, rows);
      return rows;
    };
    return this.#read(reach, signal, read, begin, (changes) => this.#answers.find(key, changes));
  }

  /**
   * Looks at the events before the turn, so that downloads keep no connection from others; takes none where `known` has the
   * answer for the state of these events.
   */
  async #read<R>(
    reach: EventReach,
    signal: AbortSignal,
    read: Read<R>,
    begin: Begin,
    known: (changes: string) => R | null = () => null,
  ): Promise<R> {
    if (this.#closing) throw unavailable(new Error('the event store is closed'));
    setMaxListeners(0, signal);
    signal.throwIfAborted();
    const running = await this.#engines.running();
    const { engine, readers } = running;
    const hold = () => holdEvents({ readers, cache: this.#cache, builds: this.#builds }, reach, signal);
    let held: HeldEvents | null = await hold().catch((fault: unknown) => {
      this.#engines.notice(fault, running);
      throw fault;
    });
    const answer = known(held.changes);
    if (answer !== null && !begin()) {
      held.release();
      return answer;
    }
    let hasTurn = false;
    try {
      return await engine.queries.use(
        async (connection) => {
          hasTurn = true;
          try {
            if (begin() || held === null) {
              held?.release();
              held = null;
              held = await hold();
            }
            const { source, changes } = held;
            return await read(engine, { connection, over: (sql) => overSource(sql, source) }, changes);
          } catch (fault) {
            throw await this.#judged(fault, running, held);
          } finally {
            // Not before the engine has ended, which is later than the signal.
            held?.release();
          }
        },
        signal,
        reach.organizationId,
      );
    } finally {
      if (!hasTurn) held?.release();
    }
  }

  /** A statement that works fails where a file went bad on this disk: it is then downloaded again. */
  async #judged(fault: unknown, running: RunningEngine, held: HeldEvents | null): Promise<unknown> {
    this.#engines.notice(fault, running);
    const isDamaged = held !== null && (await this.#cache.removeDamaged(held.segments));
    return isDamaged ? unavailable(fault) : fault;
  }
}

function reachOf({ organizationId, websiteId, from, to }: ExportSelection): EventReach {
  const range = { from: from ?? Number.NEGATIVE_INFINITY, to: to ?? Number.POSITIVE_INFINITY };
  return { organizationId, websiteIds: [websiteId], organizationEvents: false, range };
}
