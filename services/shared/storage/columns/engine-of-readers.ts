/** Starts the engine with the first query, and anew after a fault that ends it; the tails in its memory end with it. */
import { ColumnEngine, type ColumnEngineOptions } from '../duckdb/columns/column-engine.ts';
import { endsEngine, unavailable } from '../duckdb/store-faults.ts';
import { PartitionReaders } from './partition-readers.ts';
import type { ArrivalSource, SegmentBuilds, SegmentSource } from './sources.ts';
import { WriterWatch } from './writer-watch.ts';

export interface RunningEngine {
  readonly engine: ColumnEngine;
  readonly readers: PartitionReaders;
}

interface Running extends RunningEngine {
  stop(): Promise<void>;
}

export interface EngineOfReadersOptions {
  readonly engine: ColumnEngineOptions;
  readonly sources: {
    readonly arrivals: ArrivalSource;
    readonly segments: SegmentSource;
    readonly builds: SegmentBuilds;
  };
  /** How often partitions that were asked for lately are read, in milliseconds; 0: never. */
  readonly followEveryMs: number;
  /** How long a query waits for the first segments of a partition, in milliseconds. */
  readonly firstWaitMs: number;
  /** Milliseconds that never run backwards. */
  readonly now: () => number;
}

export class EngineOfReaders {
  readonly #options: EngineOfReadersOptions;
  #running: Promise<Running> | null = null;
  readonly #stopping = new Set<Promise<void>>();
  /** The latest engine that was started. */
  #current: Running | null = null;
  #isClosed = false;

  constructor(options: EngineOfReadersOptions) {
    this.#options = options;
  }

  /** The engine, started if necessary. @throws ApiError SERVICE_UNAVAILABLE */
  running(): Promise<RunningEngine> {
    if (this.#isClosed) return Promise.reject(unavailable(new Error('the event store is closed')));
    if (this.#running === null) {
      const starting = this.#start();
      this.#running = starting;
      starting.catch(() => {
        if (this.#running === starting) this.#running = null;
      });
    }
    return this.#running;
  }

  /** Reports a fault of a query: one that ends the engine lets the next query start another. */
  notice(fault: unknown, of: RunningEngine): void {
    const cause = fault instanceof Error && fault.cause ? fault.cause : fault;
    const running = this.#running;
    if (!endsEngine(cause) || running === null) return;
    void running.then((current) => {
      if (current !== of || this.#running !== running) return;
      this.#running = null;
      this.#stop(current);
    });
  }

  /** Partitions that are held. */
  get partitions(): number {
    return this.#current?.readers.size ?? 0;
  }

  /** Lets running queries end, and stops. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const running = await this.#running?.catch(() => null);
    if (running) this.#stop(running);
    await Promise.all(this.#stopping);
  }

  #stop(running: Running): void {
    const stopping = running.stop().catch(() => undefined);
    this.#stopping.add(stopping);
    void stopping.finally(() => this.#stopping.delete(stopping));
  }

  async #start(): Promise<Running> {
    const { sources, followEveryMs, firstWaitMs, now } = this.#options;
    const ending = new AbortController();
    const { signal } = ending;
    const engine = await ColumnEngine.open(this.#options.engine).catch((fault: unknown) => {
      throw unavailable(fault);
    });
    const watch = new WriterWatch(sources.arrivals, now, signal);
    const readers = new PartitionReaders({
      ...sources,
      watch,
      tables: engine.tables,
      now,
      signal,
      firstWaitMs,
    });
    const following =
      followEveryMs > 0 ? setInterval(() => void readers.follow(), followEveryMs).unref() : null;
    const stop = async () => {
      if (following) clearInterval(following);
      await engine.queries.close();
      ending.abort(unavailable(new Error('the event store is closed')));
      await engine.close();
    };
    this.#current = { engine, readers, stop };
    return this.#current;
  }
}
