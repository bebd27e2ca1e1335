/** This process as a writer of events: under which of its numbers groups of appends begin, and until when each is open. */
import type { mongo } from 'mongoose';
import { ApiError } from '../../../errors/api-error.ts';
import { type Clock, systemClock } from '../../../ports/clock.ts';
import { type Deadline, deadlineIn } from '../event-faults.ts';
import { EventWriters } from './event-writers.ts';
import { type GroupStamp, TELL_MS, WriterNumber, type WriterNumberOptions } from './writer-number.ts';

const SWEEP_EVERY_MS = 10 * 60_000;

/** How many numbers are open at once. With so many, groups go on under the newest, held back or not. */
const MOST_NUMBERS = 4;

export interface EventWriterOptions {
  /** The time of day. It orders nothing: when it jumps, the writer asks whether it may go on. */
  readonly clock?: Clock;
  /** Milliseconds that no setting of the clock changes; they may stand still while the machine sleeps. */
  readonly monotonic?: () => number;
}

export class EventWriter {
  readonly #writers: EventWriters;
  readonly #monotonic: () => number;
  readonly #options: WriterNumberOptions;
  /** The open numbers of this process. */
  readonly #numbers = new Map<number, WriterNumber>();
  /** Under which groups begin. */
  #current: WriterNumber | null = null;
  /** Registered to come after it; stays here while its first telling fails. */
  #next: WriterNumber | null = null;
  #advancing: Promise<void> | null = null;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #isEnding = false;

  constructor(
    database: mongo.Db,
    { clock = systemClock, monotonic = () => performance.now() }: EventWriterOptions = {},
  ) {
    this.#monotonic = monotonic;
    this.#writers = new EventWriters(database, monotonic);
    this.#options = {
      ...{ writers: this.#writers, clock, monotonic },
      told: (number) => this.#afterTelling(number),
      closed: (number) => this.#forget(number),
    };
  }

  /** Begins a group. Only the first one waits for the server. @throws ApiError SERVICE_UNAVAILABLE, or the driver's fault */
  async begin(deadline: Deadline): Promise<GroupStamp> {
    for (;;) {
      const current = this.#current;
      if (current && !current.isStale) return current.begin();
      await (current ? current.tellBy(deadline) : this.#advance(deadline));
    }
  }

  /** The group has ended for good: nothing of it arrives, leaves or is acknowledged any more. */
  end({ writer, sequence }: GroupStamp): void {
    this.#numbers.get(writer)?.end(sequence);
  }

  /** Whether readers may have passed over the group for good. */
  isLost({ writer }: GroupStamp): boolean {
    return !this.#numbers.has(writer);
  }

  /**
   * Call it when the events of a group are stored, before anybody is told so: when it resolves, every reader finds them.
   * @throws ApiError SERVICE_UNAVAILABLE when they were stored too late, or the driver's fault
   */
  async confirm({ writer }: GroupStamp, deadline: Deadline): Promise<void> {
    for (;;) {
      const number = this.#numbers.get(writer);
      if (number === undefined) break;
      if (!number.isStale) return;
      await number.tellBy(deadline);
    }
    const cause = new Error(`the writer ${writer} was closed while it was silent`);
    throw new ApiError('SERVICE_UNAVAILABLE', { cause });
  }

  /** Call it when events turn out to be stored under other stamps, before anybody is told that they are stored. */
  async recheck(writers: ReadonlySet<number>, deadline: Deadline): Promise<void> {
    await this.#writers.recheck(writers, deadline);
  }

  /** Tells what is new, and that it ends, unless a group never ended. It begins none afterwards. */
  async close(): Promise<void> {
    this.#isEnding = true;
    await this.#advancing?.catch(() => undefined);
    await Promise.all([...this.#numbers.values()].map((number) => number.close()));
  }

  /** Goes on under a new number; one at a time, whoever asks meanwhile waits for that one. */
  #advance(deadline: Deadline): Promise<void> {
    this.#advancing ??= this.#takeNext(deadline).finally(() => {
      this.#advancing = null;
    });
    return this.#advancing;
  }

  async #takeNext(deadline: Deadline): Promise<void> {
    this.#next ??= this.#open(await this.#writers.register(deadline));
    const next = this.#next;
    await next.tellBy(deadline);
    if (this.#next !== next) return;
    this.#next = null;
    this.#current?.retire();
    this.#current = next;
  }

  #open(registered: number): WriterNumber {
    const number = new WriterNumber(registered, this.#options);
    this.#numbers.set(registered, number);
    return number;
  }

  #forget(number: WriterNumber): void {
    this.#numbers.delete(number.number);
    if (this.#current === number) this.#current = null;
    if (this.#next === number) this.#next = null;
  }

  /** Behind everything else: nobody waits for it. */
  #afterTelling(number: WriterNumber): void {
    if (this.#isEnding) return;
    const mayOpen = this.#next !== null || this.#numbers.size < MOST_NUMBERS;
    const isNeeded = number === this.#current && number.isHeldBack;
    if (isNeeded && mayOpen) void this.#advance(deadlineIn(TELL_MS)).catch(() => undefined);
    const now = this.#monotonic();
    if (now - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.#sweptAt = now;
    void this.#writers.sweep(number.number, TELL_MS).catch(() => undefined);
  }
}
