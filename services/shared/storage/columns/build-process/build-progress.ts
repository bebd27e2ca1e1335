/** What builds of segments do now and did since the start, as health checks and metrics show it. */
import type { Clock } from '../../../ports/clock.ts';
import type { BuildPorts } from '../build/build-kit.ts';
import { type Partition, partitionId } from '../partition.ts';

/** A build in progress. */
export interface RunningBuild {
  readonly partition: Partition;
  /** When it began, in epoch milliseconds. */
  readonly since: number;
  /** Events that were read so far; one that is read twice counts twice. */
  readonly events: number;
  /** Roughly how many there are; null: unknown, as it is where only what arrived is added to segments. */
  readonly of: number | null;
}

export interface BuildStatus {
  readonly running: readonly RunningBuild[];
  /** Partitions that wait for their turn. */
  readonly waiting: number;
  /** Builds since the start that ended well, and attempts that failed. */
  readonly built: number;
  readonly failed: number;
  /** Milliseconds that all of these took. */
  readonly buildMs: number;
  /** Events that all builds have read. */
  readonly events: number;
  /** Files that were removed because no set names them. */
  readonly removedFiles: number;
  /** Events whose documents left since the start, and the bytes of their segments. */
  readonly coldEvents: number;
  readonly coldBytes: number;
  /** Partitions with cold segments that are damaged: an operator must restore them. */
  readonly damaged: number;
  /** The latest fault: when, in epoch milliseconds, and what. */
  readonly fault: { readonly at: number; readonly message: string } | null;
}

export const NO_BUILDS: BuildStatus = {
  running: [],
  waiting: 0,
  built: 0,
  failed: 0,
  buildMs: 0,
  events: 0,
  removedFiles: 0,
  coldEvents: 0,
  coldBytes: 0,
  damaged: 0,
  fault: null,
};

/** What is shown to whoever asks for the health of a process: numbers of all partitions together. */
export interface BuildSummary {
  /** Builds in progress, and partitions that wait for their turn. */
  readonly running: number;
  readonly waiting: number;
  /** How much of what is built for the first time, or made anew, is read, from 0 to 1; null: nothing is. */
  readonly share: number | null;
}

export function summaryOf({ running, waiting }: BuildStatus): BuildSummary {
  let read = 0;
  let all = 0;
  for (const { events, of } of running) {
    if (of === null) continue;
    read += Math.min(events, of);
    all += of;
  }
  const share = all === 0 ? null : Math.floor((read / all) * 1_000) / 1_000;
  return { running: running.length, waiting, share };
}

type Arrivals = BuildPorts['arrivals'];

export class BuildProgress {
  readonly #clock: Clock;
  readonly #running = new Map<string, { -readonly [K in keyof RunningBuild]: RunningBuild[K] }>();
  #built = 0;
  #failed = 0;
  #buildMs = 0;
  #events = 0;
  #removedFiles = 0;
  #cold = { events: 0, bytes: 0 };
  #damaged = 0;
  #fault: BuildStatus['fault'] = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  status(waiting: number): BuildStatus {
    return {
      running: [...this.#running.values()].map((build) => ({ ...build })),
      waiting,
      built: this.#built,
      failed: this.#failed,
      buildMs: this.#buildMs,
      events: this.#events,
      removedFiles: this.#removedFiles,
      coldEvents: this.#cold.events,
      coldBytes: this.#cold.bytes,
      damaged: this.#damaged,
      fault: this.#fault,
    };
  }

  /** The reads of builds, counted on their way. */
  counting(arrivals: Arrivals): Arrivals {
    const counted = this.#counted.bind(this);
    return {
      writers: (signal) => arrivals.writers(signal),
      read: (partition, selection, signal) => counted(partition, arrivals.read(partition, selection, signal)),
      readByTime: (partition, selection, signal) =>
        counted(partition, arrivals.readByTime(partition, selection, signal)),
    };
  }

  began(partition: Partition): void {
    const since = this.#clock.now();
    this.#running.set(partitionId(partition), { partition, since, events: 0, of: null });
  }

  /** Roughly how many events a build that runs has to read. */
  expected(partition: Partition, events: number): void {
    const build = this.#running.get(partitionId(partition));
    if (build) build.of = events;
  }

  /** It ended well, after `ms` milliseconds. */
  ended(partition: Partition, ms: number): void {
    this.#running.delete(partitionId(partition));
    this.#built++;
    this.#buildMs += ms;
  }

  /** Another process is at it. */
  left(partition: Partition): void {
    this.#running.delete(partitionId(partition));
  }

  failed(partition: Partition, message: string, ms: number): void {
    this.#running.delete(partitionId(partition));
    this.#failed++;
    this.#buildMs += ms;
    this.faulted(message);
  }

  /** Something other than a build failed. */
  faulted(message: string): void {
    this.#fault = { at: this.#clock.now(), message };
  }

  removed(files: number): void {
    this.#removedFiles += files;
  }

  /** Documents left. */
  moved({ events, bytes }: { readonly events: number; readonly bytes: number }): void {
    this.#cold = { events: this.#cold.events + events, bytes: this.#cold.bytes + bytes };
  }

  /** So many partitions have damaged segments which nothing but a backup restores. */
  foundDamaged(partitions: number): void {
    this.#damaged = partitions;
  }

  async *#counted<B extends { readonly length: number }>(
    partition: Partition,
    batches: AsyncIterable<B>,
  ): AsyncGenerator<B, void, undefined> {
    for await (const batch of batches) {
      this.#events += batch.length;
      const build = this.#running.get(partitionId(partition));
      if (build) build.events += batch.length;
      yield batch;
    }
  }
}
