/**
 * Sorts events in the background, slice by slice with pauses, so that queries of one website read little and appends
 * never wait long.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../ports/clock.ts';
import type { Engine } from '../engine.ts';
import type { Maintain } from '../maintain.ts';
import { Wiper, type WiperOptions, type WipingReport } from '../wiping/wiper.ts';
import { columnsOf, rewriteSlice, type Slice, slicesOf } from './slices.ts';
import { type CommitRange, nextRange, type RunSizes, recordRun } from './sorted-runs.ts';

export interface CompactorOptions extends RunSizes, WiperOptions {
  /**
   * Roughly how many events one slice may have; below two row groups, so that a slice takes about half a second of one
   * processor.
   */
  readonly sliceEvents: number;
  /** The number of slices after which the space of the rewritten rows is released. */
  readonly slicesPerCheckpoint: number;
  /** The pause after a slice, as a multiple of the time that it took. */
  readonly restFactor: number;
  /** How often it looks for work, in milliseconds. */
  readonly lookEveryMs: number;
}

export const COMPACTION: CompactorOptions = {
  sliceEvents: 60_000,
  runEvents: 491_520,
  fanIn: 8,
  largestRunEvents: 64_000_000,
  slicesPerCheckpoint: 8,
  restFactor: 1,
  lookEveryMs: 15_000,
  wipeEveryMs: 3_600_000,
  settleMs: 60_000,
};

/** The result of one rewrite. */
export interface CompactionReport {
  readonly events: number;
  readonly slices: number;
  /** The longest slice, in milliseconds. */
  readonly longestSliceMs: number;
}

export interface CompactionWatcher {
  /** A run was written. */
  compacted(report: CompactionReport): void;
  /** Erased events were wiped from the file. */
  wiped(report: WipingReport): void;
  /** A rewrite or a wipe failed and changed nothing beyond whole slices; it will be retried. */
  failed(fault: unknown): void;
}

/** The events that are rewritten next, and how. */
interface Plan {
  /** It holds for this opening of the file only: a commit of an earlier one may turn up when it is opened again. */
  readonly engine: Engine;
  readonly range: CommitRange;
  readonly slices: readonly Slice[];
  /** Those to rewrite; all others are null in every event of the range. */
  readonly columns: readonly string[];
}

export class Compactor {
  readonly #maintain: Maintain;
  readonly #options: CompactorOptions;
  readonly #stopping = new AbortController();
  /**
   * How many erasures there were, and after how many of them the runs with gaps were looked for; those before this
   * process count as one.
   */
  #erasures = 1;
  #erasuresSeen = 0;
  #running: Promise<void> | null = null;
  #isWiping = false;

  readonly #wiper: Wiper;

  constructor(maintain: Maintain, options: CompactorOptions, clock: Clock) {
    this.#maintain = maintain;
    this.#options = options;
    this.#wiper = new Wiper(maintain, options, clock, async (ms) => {
      if (!this.#stopping.signal.aborted) await this.#rest(ms);
      return !this.#stopping.signal.aborted;
    });
  }

  /** Works in the background from now on. */
  start(watcher: CompactionWatcher): void {
    this.#running ??= this.#work(watcher);
  }

  /** Resolves when nothing is being rewritten any more; a slice that has begun is finished. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Reports that events were erased. */
  noticeErasure(): void {
    this.#erasures++;
  }

  /** Rewrites what is next; null when there is nothing to do, when it was stopped, or when the file was opened again meanwhile. */
  async compactNext(): Promise<CompactionReport | null> {
    const { slicesPerCheckpoint, restFactor } = this.#options;
    const plan = await this.#plan();
    if (!plan) return null;
    const { slices } = plan;
    let events = 0;
    let longestSliceMs = 0;
    for (const [i, slice] of slices.entries()) {
      if (this.#stopping.signal.aborted) return null;
      const began = performance.now();
      const isLast = i === slices.length - 1;
      const rewritten = await this.#rewrite(plan, slice, isLast ? events : null);
      if (rewritten === null) return null;
      events += rewritten;
      const took = performance.now() - began;
      longestSliceMs = Math.max(longestSliceMs, took);
      if (isLast || (i + 1) % slicesPerCheckpoint === 0)
        await this.#maintain((engine) => engine.checkpoint());
      await this.#rest(took * restFactor);
    }
    return { events, slices: slices.length, longestSliceMs };
  }

  /** Wipes events that were erased on request from the file, if it is time; null when it is not. */
  async wipeErased(): Promise<WipingReport | null> {
    this.#isWiping = true;
    try {
      return await this.#wiper.wipe();
    } finally {
      this.#isWiping = false;
    }
  }

  /** Whether events are being wiped: a checkpoint by anybody else would number the rows anew that it is about to move. */
  get isWiping(): boolean {
    return this.#isWiping;
  }

  async #plan(): Promise<Plan | null> {
    return this.#maintain((engine) =>
      engine.withConnection(async (connection) => {
        const erasures = this.#erasures;
        const range = await nextRange(connection, this.#options, erasures > this.#erasuresSeen);
        if (!range) {
          this.#erasuresSeen = erasures;
          return null;
        }
        const slices = await slicesOf(connection, range, this.#options.sliceEvents);
        return { engine, range, slices, columns: await columnsOf(connection, range, slices) };
      }),
    );
  }

  /**
   * One slice in one commit; together with the last one (`before`: events of earlier slices) the range becomes a run. Null when the
   * file was opened again since the plan was made.
   */
  #rewrite(plan: Plan, slice: Slice, before: number | null): Promise<number | null> {
    return this.#maintain(async (engine) => {
      if (engine !== plan.engine) return null;
      return engine.withConnection(async (connection) => {
        await connection.run('BEGIN');
        const events = await rewriteSlice(connection, plan.range, slice, plan.columns);
        if (before !== null) await recordRun(connection, plan.range, before + events);
        await connection.run('COMMIT');
        return events;
      });
    });
  }

  async #work(watcher: CompactionWatcher): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      let report: CompactionReport | null = null;
      try {
        const wiping = await this.wipeErased();
        if (wiping) watcher.wiped(wiping);
        report = await this.compactNext();
        if (report) watcher.compacted(report);
      } catch (fault) {
        if (!this.#stopping.signal.aborted) watcher.failed(fault);
      }
      if (!report) await this.#rest(this.#options.lookEveryMs);
    }
  }

  /** Ends early when the compactor is stopped. */
  async #rest(ms: number): Promise<void> {
    await pause(ms, undefined, { ref: false, signal: this.#stopping.signal }).catch(() => undefined);
  }
}
