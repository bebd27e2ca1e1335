/** Wipes erased events from the file: moves all others away and overwrites the freed blocks, step by step with pauses. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Clock } from '../../../ports/clock.ts';
import { ORDER } from '../compaction/slices.ts';
import type { Engine } from '../engine.ts';
import type { Maintain } from '../maintain.ts';
import { noteNothing, noteWiping, readErasures } from './erasure-notes.ts';
import { createFiller, dropFiller, fillBlocks, freeBlocks, STEP_BLOCKS } from './free-blocks.ts';
import { moveEvents, partsOf, rowGroups } from './row-groups.ts';

export interface WiperOptions {
  /** Roughly how many events one step may have. */
  readonly sliceEvents: number;
  /** How long after one wipe the next may begin, in milliseconds. */
  readonly wipeEveryMs: number;
  /** The pause after a step, as a multiple of the time that it took. */
  readonly restFactor: number;
  /** The pause when a query is in the way, in milliseconds. */
  readonly lookEveryMs: number;
  /** How long after the first erasure a wipe begins: one erasure may take several commits. */
  readonly settleMs: number;
}

export interface WipingReport {
  /** Events that were moved. */
  readonly events: number;
  /** Whether nothing is left of earlier erasures; otherwise the next wipe continues. */
  readonly isDone: boolean;
  /** The longest step, in milliseconds. */
  readonly longestStepMs: number;
}

/** The number of steps after which the freed space is released. */
const ROUND_STEPS = 64;

/** Blocks filled beyond those that were free: some are freed meanwhile, and the file may grow by them until the end. */
const SPARE_BLOCKS = 2;

/** How often the free blocks are filled: meanwhile appends may free others, which are used first. */
const FILLINGS = 3;

/** How often it tries to release empty groups, and to write the log into the file: with the usual pauses for ten minutes. */
const MOST_TRIES = 40;

/** Ends a wipe early. */
class Stopped extends Error {}

/** Queries that began before were in the way for too long. */
class Blocked extends Error {}

export class Wiper {
  readonly #maintain: Maintain;
  readonly #options: WiperOptions;
  readonly #clock: Clock;
  /** Pauses for this many milliseconds; false: stop. */
  readonly #rest: (ms: number) => Promise<boolean>;
  #longestStepMs = 0;
  /** Events that this wipe moved. */
  #moved = 0;

  constructor(
    maintain: Maintain,
    options: WiperOptions,
    clock: Clock,
    rest: (ms: number) => Promise<boolean>,
  ) {
    this.#maintain = maintain;
    this.#options = options;
    this.#clock = clock;
    this.#rest = rest;
  }

  /** Wipes erased events, if it is time; null when it is not, or when it was stopped: then the next wipe starts over. */
  async wipe(): Promise<WipingReport | null> {
    const { latest, since, wiped } = await this.#maintain((engine) => engine.withConnection(readErasures));
    if (latest === null || since === null || !this.#isTime(since, wiped)) return null;
    this.#longestStepMs = 0;
    this.#moved = 0;
    try {
      const { events, isClean } = await this.#moveAway();
      if (isClean) await this.#overwrite();
      // What is left is retried an hour later, not all day long.
      await this.#connected((connection) => noteWiping(connection, this.#clock.now(), isClean ? latest : 0n));
      return { events, isDone: isClean, longestStepMs: this.#longestStepMs };
    } catch (fault) {
      if (fault instanceof Stopped) return null;
      if (!(fault instanceof Blocked)) throw fault;
      // What was to be wiped stays noted: an hour later it begins anew.
      await this.#maintain((engine) =>
        engine.withConnection((connection) => noteWiping(connection, this.#clock.now(), 0n)),
      );
      return { events: this.#moved, isDone: false, longestStepMs: this.#longestStepMs };
    }
  }

  /** A clock that was set back delays nothing. */
  #isTime(since: number, wiped: number | null): boolean {
    const now = this.#clock.now();
    const { settleMs, wipeEveryMs } = this.#options;
    const passed = (instant: number, ms: number) => now < instant || now >= instant + ms;
    return passed(since, settleMs) && (wiped === null || passed(wiped, wipeEveryMs));
  }

  /**
   * Moves every event: groups share blocks, so even a group without gaps may keep a block with erased data. Moved events
   * lie after all others, so the first ones are always next.
   */
  async #moveAway(): Promise<{ events: number; isClean: boolean }> {
    let events = 0;
    let toMove: number | null = null;
    for (let triesLeft = MOST_TRIES; triesLeft > 0; ) {
      // After a checkpoint, new rows go into new groups.
      await this.#checkpoint();
      const groups = await this.#step(rowGroups);
      toMove ??= groups.reduce((sum, group) => sum + group.events, 0);
      const parts = partsOf(groups, this.#options.sliceEvents).slice(0, ROUND_STEPS);
      if (events < toMove && parts.length > 0) {
        for (const part of parts) {
          if (events >= toMove) break;
          const moved = await this.#connected((connection) => moveEvents(connection, part, ORDER));
          if (moved === null) break;
          events += moved;
          this.#moved = events;
        }
        continue;
      }
      if (groups.every((group) => group.events > 0)) return { events, isClean: true };
      // A query that runs during the checkpoint keeps groups from being released.
      triesLeft--;
      await this.#pause(this.#options.lookEveryMs);
      await this.#connected(noteNothing);
    }
    return { events, isClean: false };
  }

  /** Overwrites every block that is free. */
  async #overwrite(): Promise<void> {
    // What one checkpoint frees can be used after the next one.
    await this.#checkpoint();
    await this.#checkpoint();
    await this.#connected(createFiller);
    for (let round = 0; round < FILLINGS; round++) {
      for (let left = SPARE_BLOCKS + (await this.#connected(freeBlocks)); left > 0; left -= STEP_BLOCKS) {
        await this.#connected((connection) => fillBlocks(connection, Math.min(left, STEP_BLOCKS)));
      }
      await this.#checkpoint();
    }
    await this.#connected(dropFiller);
    await this.#checkpoint();
  }

  /**
   * Writes the log into the file. After the filler came or went, that waits for the queries that began before. Those end by
   * their time limits; a wipe that gave up sooner would move every event again. @throws Blocked
   */
  async #checkpoint(): Promise<void> {
    for (let triesLeft = MOST_TRIES; !(await this.#step((engine) => engine.tryCheckpoint())); ) {
      if (--triesLeft === 0) throw new Blocked();
      await this.#pause(this.#options.lookEveryMs);
    }
  }

  #connected<R>(action: (connection: DuckDBConnection) => Promise<R>): Promise<R> {
    return this.#step((engine) => engine.withConnection(action));
  }

  async #step<R>(action: (engine: Engine) => Promise<R>): Promise<R> {
    const began = performance.now();
    const result = await this.#maintain(action);
    const took = performance.now() - began;
    this.#longestStepMs = Math.max(this.#longestStepMs, took);
    await this.#pause(took * this.#options.restFactor);
    return result;
  }

  async #pause(ms: number): Promise<void> {
    if (!(await this.#rest(ms))) throw new Stopped();
  }
}
