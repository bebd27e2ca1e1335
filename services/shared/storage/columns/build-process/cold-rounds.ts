/** Lets old documents leave, partition by partition, and looks after cold segments that are damaged. */
import type { Logger } from 'pino';
import type { Clock } from '../../../ports/clock.ts';
import type { SegmentSets } from '../../mongodb/segments/segment-sets.ts';
import type { BuildPorts } from '../build/build-kit.ts';
import type { SegmentBuilder } from '../build/segment-builder.ts';
import type { Partition } from '../partition.ts';
import type { SetState } from '../segment-set.ts';
import type { BuildProgress } from './build-progress.ts';

const DAY_MS = 86_400_000;

/** How often documents that may leave are looked for, and damaged files read again, in milliseconds. */
const COOL_EVERY_MS = 3_600_000;
const JUDGE_EVERY_MS = 60_000;
/** How soon what another process is at is looked at once more, in milliseconds: it may have died at it, which shows after 30 s. */
const HELD_AGAIN_MS = 60_000;

/** Damaged partitions that are looked at in one round. */
const MOST_JUDGED = 100;

/** The lease under which one process lets documents leave. */
const COLD_LEASE = 'segments cold';

export interface ColdRoundsOptions {
  readonly builder: Pick<SegmentBuilder, 'coolPartition' | 'judgeAgain'>;
  readonly sets: Pick<SegmentSets, 'listOlder' | 'listDamaged'>;
  readonly leases: BuildPorts['leases'];
  readonly progress: Pick<BuildProgress, 'moved' | 'foundDamaged' | 'faulted'>;
  /** Null: documents never leave. */
  readonly coldAfterDays: number | null;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly clock: Clock;
  /** Ends a round between two of its steps. */
  readonly signal: AbortSignal;
}

export class ColdRounds {
  readonly #options: ColdRoundsOptions;
  #nextCool = Number.NEGATIVE_INFINITY;
  #nextHeld = Number.NEGATIVE_INFINITY;
  #nextJudge = Number.NEGATIVE_INFINITY;
  #isCooling = false;
  #isJudging = false;
  /** Partitions at which another process was. */
  #held: readonly Partition[] = [];
  /** Partitions that were found damaged last. */
  #damaged = 0;

  constructor(options: ColdRoundsOptions) {
    this.#options = options;
  }

  /** Each hour, lets documents leave where some may, and a minute later where another process was at it. Never rejects. */
  async cool(): Promise<void> {
    const { coldAfterDays, clock, leases, sets, signal } = this.#options;
    const now = clock.now();
    const isWhole = now >= this.#nextCool;
    const isDue = isWhole || (this.#held.length > 0 && now >= this.#nextHeld);
    if (coldAfterDays === null || this.#isCooling || !isDue) return;
    this.#nextHeld = now + HELD_AGAIN_MS;
    if (isWhole) this.#nextCool = now + COOL_EVERY_MS;
    this.#isCooling = true;
    try {
      const lease = await leases.tryLease(COLD_LEASE);
      if (lease === null) {
        if (isWhole) this.#nextCool = this.#nextHeld;
        return;
      }
      try {
        const before = now - coldAfterDays * DAY_MS;
        const partitions = isWhole ? await sets.listOlder(before) : this.#held;
        this.#held = await this.#coolAll(partitions, before, AbortSignal.any([lease.signal, signal]));
      } finally {
        await lease.release();
      }
    } catch (fault) {
      this.#note(fault, 'documents of old events could not leave');
    } finally {
      this.#isCooling = false;
    }
  }

  /** Reads damaged cold segments again, and counts the partitions that have any. Never rejects. */
  async judge(): Promise<void> {
    const { sets, builder, progress, clock, logger, signal } = this.#options;
    if (this.#isJudging || clock.now() < this.#nextJudge) return;
    this.#nextJudge = clock.now() + JUDGE_EVERY_MS;
    this.#isJudging = true;
    try {
      for (const state of await sets.listDamaged(MOST_JUDGED)) await builder.judgeAgain(state, signal);
      const found = await sets.listDamaged(MOST_JUDGED);
      progress.foundDamaged(found.length);
      if (found.length > this.#damaged)
        for (const state of found)
          logger.warn(damageOf(state), 'cold segments are damaged and must be restored');
      this.#damaged = found.length;
    } catch (fault) {
      this.#note(fault, 'damaged segments could not be looked at');
    } finally {
      this.#isJudging = false;
    }
  }

  /** Returns those at which another process is. */
  async #coolAll(
    partitions: readonly Partition[],
    before: number,
    signal: AbortSignal,
  ): Promise<Partition[]> {
    const { builder, progress, clock, logger } = this.#options;
    const held: Partition[] = [];
    for (const partition of partitions) {
      signal.throwIfAborted();
      try {
        const moved = await builder.coolPartition(partition, { before, now: clock.now() }, signal);
        if (moved === null) held.push(partition);
        if (moved === null || moved.events === 0) continue;
        progress.moved(moved);
        logger.info(
          { ...partition, ...moved },
          'documents of old events left: their segments are the record',
        );
      } catch (fault) {
        signal.throwIfAborted();
        this.#note(fault, 'documents of old events could not leave');
      }
    }
    return held;
  }

  #note(fault: unknown, text: string): void {
    const { signal, progress, logger } = this.#options;
    if (signal.aborted) return;
    progress.faulted(fault instanceof Error ? fault.message : String(fault));
    logger.warn({ err: fault }, text);
  }
}

function damageOf({ partition, segments }: SetState) {
  const damaged = segments.flatMap(({ id, damage }) => (damage === undefined ? [] : [`${id} ${damage}`]));
  return { ...partition, segments: damaged };
}
