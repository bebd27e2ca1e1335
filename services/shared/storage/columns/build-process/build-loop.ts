/** Builds segments wherever they are needed: what queries ask for, what has many fresh events, and what is damaged. */
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { type Clock, systemClock } from '../../../ports/clock.ts';
import { unavailable } from '../../duckdb/store-faults.ts';
import type { SegmentSets } from '../../mongodb/segments/segment-sets.ts';
import { untilAborted } from '../../single-flight.ts';
import type { BuildPorts } from '../build/build-kit.ts';
import type { SegmentBuilder } from '../build/segment-builder.ts';
import type { Partition } from '../partition.ts';
import { type DamagedSegment, isReadable, type SetState } from '../segment-set.ts';
import type { SegmentBuilds } from '../sources.ts';
import type { BuildProgress, BuildStatus } from './build-progress.ts';
import { BuildQueue, type Job } from './build-queue.ts';
import { ColdRounds, type ColdRoundsOptions } from './cold-rounds.ts';

/** A partition is built without being asked for from this many fresh events on: a tail of fewer costs queries little. */
export const BUILD_FROM_EVENTS = 5_000;

/** Partitions that one look at fresh events adds, those with the most of them. */
const MOST_FOUND = 100;

/** How often fresh events are looked at, in milliseconds. */
const LOOK_EVERY_MS = 10_000;

/** How often files that no set names are removed, in milliseconds. */
const SWEEP_EVERY_MS = 3_600_000;

/**
 * Files that no set names are removed this long after their upload began, in milliseconds by the clocks of two machines:
 * far longer than it takes to name one.
 */
const GARBAGE_MS = 6 * 3_600_000;

/** The lease under which one process removes them. */
const SWEEP_LEASE = 'segments sweep';

export interface BuildLoopOptions extends Pick<ColdRoundsOptions, 'coldAfterDays'> {
  readonly builder: Pick<SegmentBuilder, 'buildPartition' | 'noteDamage' | 'removeGarbage'> &
    ColdRoundsOptions['builder'];
  readonly sets: Pick<SegmentSets, 'listFresh' | 'readState'> & ColdRoundsOptions['sets'];
  /** The same as the builder's: whoever takes over from a dead holder must have seen it before. */
  readonly leases: BuildPorts['leases'];
  /** Counts what the builder reads. */
  readonly progress: BuildProgress;
  /** Roughly how many events a partition has; null: unknown. */
  readonly count: (partition: Partition, signal: AbortSignal) => Promise<number | null>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** How many partitions are built at once. Default 2, so that a long build keeps no short one waiting. */
  readonly atOnce?: number;
  /** How often fresh events are looked at, in milliseconds; 0: never. Default 10 s. */
  readonly lookEveryMs?: number;
  readonly clock?: Clock;
  /** Milliseconds that never run backwards; default: those of this process. */
  readonly steadyNow?: () => number;
}

export class BuildLoop implements SegmentBuilds {
  readonly #options: BuildLoopOptions;
  readonly #clock: Clock;
  readonly #now: () => number;
  readonly #atOnce: number;
  readonly #queue = new BuildQueue();
  #building = 0;
  /** Everything that is in progress. */
  readonly #running = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  readonly #timers: NodeJS.Timeout[];
  readonly #cold: ColdRounds;
  #due: NodeJS.Timeout | null = null;
  #lookFault: string | null = null;

  constructor({ lookEveryMs = LOOK_EVERY_MS, ...options }: BuildLoopOptions) {
    this.#options = { lookEveryMs, ...options };
    this.#clock = options.clock ?? systemClock;
    this.#now = options.steadyNow ?? (() => performance.now());
    this.#atOnce = options.atOnce ?? 2;
    setMaxListeners(0, this.#closing.signal);
    this.#cold = new ColdRounds({ ...options, clock: this.#clock, signal: this.#closing.signal });
    const every = (ms: number, act: () => Promise<void>) =>
      setInterval(() => void this.#track(act()), ms).unref();
    this.#timers =
      lookEveryMs === 0
        ? []
        : [
            every(lookEveryMs, () => this.look()),
            every(SWEEP_EVERY_MS, () => this.sweep()),
            every(lookEveryMs, () => this.#cold.cool()),
            every(lookEveryMs, () => this.#cold.judge()),
          ];
  }

  get status(): BuildStatus {
    return this.#options.progress.status(this.#queue.waiting);
  }

  ask(partition: Partition): void {
    if (this.#closing.signal.aborted) return;
    this.#queue.add(partition);
    this.#pump();
  }

  async first(partition: Partition, signal: AbortSignal): Promise<void> {
    const until = AbortSignal.any([signal, this.#closing.signal]);
    until.throwIfAborted();
    let leave = () => {};
    const isBuilt = new Promise<void>((resolve) => {
      ({ leave } = this.#queue.await(partition, resolve, this.#now()));
    });
    this.#pump();
    try {
      await untilAborted(isBuilt, until);
    } finally {
      leave();
    }
  }

  damaged(partition: Partition, cause: DamagedSegment): void {
    if (this.#closing.signal.aborted) return;
    const { damaged } = this.#queue.add(partition);
    if (!damaged.has(cause.segment)) {
      this.#options.logger.warn(
        { ...partition, segment: cause.segment, err: cause },
        'a segment is damaged and is built anew',
      );
    }
    damaged.add(cause.segment);
    this.#pump();
  }

  /** Adds the partitions that have many fresh events. */
  async look(): Promise<void> {
    try {
      const found = await this.#options.sets.listFresh(BUILD_FROM_EVENTS, MOST_FOUND);
      for (const { state } of found) this.ask(state.partition);
      this.#lookFault = null;
    } catch (fault) {
      this.#noteFault(fault, 'fresh events could not be looked at');
    }
  }

  /** Removes files that no set names, unless another process does. */
  async sweep(): Promise<void> {
    const { leases, builder, progress, logger } = this.#options;
    try {
      const lease = await leases.tryLease(SWEEP_LEASE);
      if (lease === null) return;
      try {
        const signal = AbortSignal.any([lease.signal, this.#closing.signal]);
        const files = await builder.removeGarbage(this.#clock.now() - GARBAGE_MS, signal);
        progress.removed(files);
        if (files > 0) logger.info({ files }, 'files of segments that nothing names were removed');
      } finally {
        await lease.release();
      }
    } catch (fault) {
      this.#noteFault(fault, 'files of segments that nothing names could not be removed');
    }
  }

  /** Ends builds between two of their steps; what was done stays. Those who wait for one get SERVICE_UNAVAILABLE. */
  async close(): Promise<void> {
    this.#closing.abort(unavailable(new Error('segments are not built any more')));
    for (const timer of this.#timers) clearInterval(timer);
    if (this.#due) clearTimeout(this.#due);
    await Promise.all(this.#running);
  }

  #pump(): void {
    if (this.#due) clearTimeout(this.#due);
    this.#due = null;
    if (this.#closing.signal.aborted) return;
    while (this.#building < this.#atOnce) {
      const job = this.#queue.begin(this.#now());
      if (job === null) break;
      this.#building++;
      const work = this.#work(job).finally(() => {
        this.#building--;
        this.#pump();
      });
      this.#track(work);
    }
    const { dueAt } = this.#queue;
    if (dueAt === null || this.#building >= this.#atOnce) return;
    this.#due = setTimeout(() => this.#pump(), Math.max(0, Math.ceil(dueAt - this.#now()))).unref();
  }

  #track(work: Promise<void>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  /** Never rejects. */
  async #work(job: Job): Promise<void> {
    const { partition } = job;
    const { progress, logger } = this.#options;
    const began = this.#now();
    progress.began(partition);
    try {
      if (await this.#build(job)) {
        progress.ended(partition, this.#now() - began);
        this.#queue.end(job);
      } else if (await this.#isLeft(job)) {
        progress.left(partition);
        this.#queue.end(job);
      } else {
        progress.left(partition);
        this.#queue.delay(job, this.#now());
      }
    } catch (fault) {
      if (this.#closing.signal.aborted) return progress.left(partition);
      const message = wordsOf(fault);
      progress.failed(partition, message, this.#now() - began);
      if (this.#queue.fail(job, message, this.#now()))
        logger.warn({ ...partition, err: fault }, 'segments could not be built; it is tried again');
    }
  }

  /** False: another process is at it. */
  async #build({ partition, damaged }: Job): Promise<boolean> {
    const { builder } = this.#options;
    const { signal } = this.#closing;
    for (const segment of [...damaged]) {
      await builder.noteDamage(partition, segment);
      damaged.delete(segment);
    }
    const counting = this.#count(partition, signal);
    const isBuilt = await builder.buildPartition(partition, signal);
    await counting;
    return isBuilt;
  }

  /** Tells roughly how long a first build takes, or one that makes segments anew. */
  async #count(partition: Partition, signal: AbortSignal): Promise<void> {
    try {
      const state = await this.#options.sets.readState(partition);
      if (isVisible(state) && state.rebuild === null) return;
      const events = await this.#options.count(partition, signal);
      if (events !== null) this.#options.progress.expected(partition, events);
    } catch {
      // The build tells what fails.
    }
  }

  /** Whether a partition that another process builds needs nothing from here. */
  async #isLeft({ partition, awaiting, damaged }: Job): Promise<boolean> {
    if (damaged.size > 0) return false;
    return awaiting.size === 0 || isVisible(await this.#options.sets.readState(partition));
  }

  #noteFault(fault: unknown, text: string): void {
    if (this.#closing.signal.aborted) return;
    const message = wordsOf(fault);
    this.#options.progress.faulted(message);
    if (this.#lookFault !== message) this.#options.logger.warn({ err: fault }, text);
    this.#lookFault = message;
  }
}

/** Whether queries can read it. */
function isVisible({ covered, segments }: SetState): boolean {
  return covered !== null && segments.every(isReadable);
}

/** What the log and health checks say of a fault: the cause, where its own words are meant for callers. */
function wordsOf(fault: unknown): string {
  const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault;
  return cause instanceof Error ? cause.message : String(cause);
}
