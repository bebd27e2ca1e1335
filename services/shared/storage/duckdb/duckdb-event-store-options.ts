/** What the embedded event store is opened with. */
import type { Clock } from '../../ports/clock.ts';
import type { CompactorOptions } from './compaction/compactor.ts';

export interface DuckDbEventStoreOptions {
  /** The file; created with its directory when absent. Its log, lock and spill directory are next to it. */
  readonly path: string;
  /** Memory of the engine, such as `1GB` (the default). */
  readonly memoryLimit?: string;
  /** Threads of the engine, which a query may use besides its own; default: {@link defaultThreads}. */
  readonly threads?: number;
  /**
   * How many queries run at once; default 3. Each occupies one thread of libuv's pool (`UV_THREADPOOL_SIZE`) while it
   * runs.
   */
  readonly concurrentQueries?: number;
  /** How many queries may wait for their turn; default 1,000. */
  readonly maxWaitingQueries?: number;
  /** How many events may wait for a commit; default 100,000. */
  readonly maxWaitingEvents?: number;
  /** How many characters of text may wait for a commit; default 256 million. */
  readonly maxWaitingCharacters?: number;
  /** Size of the log, in bytes, at which it is written into the file even while appends wait; default 16 million. */
  readonly logBytes?: number;
  /**
   * How many event ids are remembered to find repeats; default {@link DEFAULT_EVENT_ID_WINDOW}. Five million take 135 MB
   * once filled.
   */
  readonly eventIdWindow?: number;
  /** Megabytes of answers that are kept until an event that they read changes; default 0: none. */
  readonly answersMb?: number;
  /** How events are sorted once `compactor` is started; default {@link COMPACTION}. */
  readonly compaction?: CompactorOptions;
  /** Says when events arrive; default: the machine's clock. */
  readonly clock?: Clock;
}

/** How many ids are remembered unless the options say otherwise (contract.md section 6). */
export const DEFAULT_EVENT_ID_WINDOW = 5_000_000;
