/**
 * Keeps the engine usable. A fault may end it (a full disk while it wrote its log into the file, an internal fault);
 * then it is closed and reopened without a restart of the process, and the owner finds out what was stored.
 */
import type { EventRecord } from '../../model/event-record.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Engine } from './engine.ts';
import type { QueryPool } from './query-pool.ts';
import { endsEngine, unavailable } from './store-faults.ts';

/** After a failed opening, the next attempt comes this many milliseconds later at the earliest. */
const RETRY_AFTER_MS = 1_000;

export interface EngineOwnerOptions {
  /** Opens the file, and loads what must be known before events are appended. */
  readonly open: () => Promise<Engine>;
  readonly queries: QueryPool;
  readonly clock: Clock;
  /** Instant of the latest stored commit, in microseconds; 0 for none. */
  readonly lastCommit: bigint;
}

export class EngineOwner {
  readonly #options: EngineOwnerOptions;
  /** Null while none is open. */
  #engine: Engine | null;
  #opening: Promise<Engine> | null = null;
  #failed: { readonly at: number; readonly cause: unknown } | null = null;
  #isClosed = false;
  #lastCommit: bigint;
  /** Maintenance that runs or waits. */
  #maintaining = 0;
  /** Resolves when all maintenance requested so far has ended. */
  #maintenance: Promise<unknown> = Promise.resolve();
  /** One promise for each user of an engine; it resolves, never rejects, when that user is done. */
  readonly #inUse = new Set<Promise<void>>();
  /** How often the engine was reopened, for tests and the log. */
  reopened = 0;

  constructor(engine: Engine, options: EngineOwnerOptions) {
    this.#engine = engine;
    this.#options = options;
    this.#lastCommit = options.lastCommit;
  }

  /**
   * Stores the events in one commit, all or none; returns the instant of the commit in milliseconds.
   * @throws the engine's fault when nothing was stored, ApiError SERVICE_UNAVAILABLE when the file cannot be reopened
   */
  async commit(events: readonly EventRecord[]): Promise<number> {
    const at = this.#nextInstant();
    try {
      await this.#use((engine) => engine.insert(events, at));
    } catch (fault) {
      if (!endsEngine(fault)) throw fault;
      // The fault may have come after the commit was on disk.
      if (!(await this.#use((engine) => engine.holds(at)))) throw fault;
    }
    return Number(at / 1_000n);
  }

  /**
   * Lets `action` change stored events: one action at a time, while appends and queries continue.
   * @throws the engine's fault, ApiError SERVICE_UNAVAILABLE
   */
  maintain<R>(action: (engine: Engine) => Promise<R>): Promise<R> {
    this.#maintaining++;
    const turn = this.#maintenance.then(() => this.#use(action));
    const ended = () => {
      this.#maintaining--;
    };
    this.#maintenance = turn.then(ended, ended);
    return turn;
  }

  /** The same, at once; null, and nothing is done, while other maintenance runs or waits, or the file is being opened again. */
  tryMaintain<R>(action: (engine: Engine) => Promise<R>): Promise<R> | null {
    return this.#maintaining > 0 || this.#engine === null ? null : this.maintain(action);
  }

  /** The open engine, reopened if necessary. @throws ApiError SERVICE_UNAVAILABLE */
  usable(): Promise<Engine> {
    if (this.#isClosed) return Promise.reject(unavailable(new Error('the event store is closed')));
    if (this.#engine) return Promise.resolve(this.#engine);
    if (this.#opening) return this.#opening;
    if (this.#failed && this.#options.clock.now() < this.#failed.at + RETRY_AFTER_MS) {
      return Promise.reject(unavailable(this.#failed.cause));
    }
    this.#opening = this.#open(null);
    return this.#opening;
  }

  /** Reports a fault that a query met: one that ends the engine makes it reopen. */
  notice(fault: unknown): void {
    if (!endsEngine(fault) || this.#isClosed || !this.#engine) return;
    this.#replace(this.#engine).catch(() => undefined);
  }

  /** Writes the log into the file and closes it. */
  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    this.#isClosed = true;
    await this.#maintenance;
    const engine = this.#engine;
    this.#engine = null;
    if (!engine) return;
    try {
      await engine.checkpoint();
    } finally {
      engine.close();
    }
  }

  /** Runs `action` on the open engine, which is not closed before the action has ended. */
  async #use<R>(action: (engine: Engine) => Promise<R>): Promise<R> {
    let engine = await this.usable();
    // The engine may have been given up just before this continued.
    while (engine !== this.#engine) engine = await this.usable();
    const work = action(engine);
    const ended = work.then(
      () => undefined,
      () => undefined,
    );
    this.#inUse.add(ended);
    try {
      return await work;
    } catch (fault) {
      if (endsEngine(fault) && !this.#isClosed) this.#replace(engine).catch(() => undefined);
      throw fault;
    } finally {
      this.#inUse.delete(ended);
    }
  }

  /** Gives up `engine`, unless that was already done. */
  #replace(engine: Engine): Promise<Engine> {
    if (this.#engine === engine) {
      this.#engine = null;
      this.#opening = this.#open(engine);
    }
    return this.usable();
  }

  /** Closes the old engine, and opens the file again. */
  async #open(before: Engine | null): Promise<Engine> {
    const { queries, clock, open } = this.#options;
    try {
      if (before) {
        // Nothing may still use it when the file is opened a second time.
        await Promise.all([queries.suspend(), ...this.#inUse]);
        before.close();
      }
      const engine = await open();
      this.#engine = engine;
      this.#failed = null;
      this.reopened++;
      queries.resume(engine.readers);
      return engine;
    } catch (cause) {
      this.#failed = { at: clock.now(), cause };
      queries.refuseAll();
      throw unavailable(cause);
    } finally {
      this.#opening = null;
    }
  }

  /** Microseconds since the epoch, later than every earlier value. */
  #nextInstant(): bigint {
    const now = BigInt(this.#options.clock.now()) * 1_000n;
    this.#lastCommit = now > this.#lastCommit ? now : this.#lastCommit + 1n;
    return this.#lastCommit;
  }
}
