/** This process as a writer of events: it stamps groups of appends, and tells behind them how far it has come. */
import type { mongo } from 'mongoose';
import { ApiError } from '../../../errors/api-error.ts';
import { type Clock, systemClock } from '../../../ports/clock.ts';
import { answeredWithin } from '../answered-within.ts';
import { type Deadline, persistently } from '../event-faults.ts';
import { EventWriters } from './event-writers.ts';

/** How long it waits at least between two tellings, and at most while nothing happens, in milliseconds. */
const TELL_AT_MOST_EVERY_MS = 250;
const TELL_AT_LEAST_EVERY_MS = 5_000;

/** How long it waits after a telling that failed, and how long one may take, in milliseconds. */
const TELL_AGAIN_MS = 1_000;
const TELL_MS = 5_000;

/** Readers pass over a writer that told nothing for 60 s. Half of that after it told of itself it asks whether it may go on. */
const STALE_MS = 30_000;

const SWEEP_EVERY_MS = 10 * 60_000;

/** The stamp of a group of appends. */
export interface GroupStamp {
  readonly writer: number;
  readonly sequence: number;
}

/** A number of this process; it gets another one when the first was closed by others. */
interface Registration {
  readonly number: number;
  /** The highest sequence number given so far. */
  last: number;
  /** Groups that have not ended. */
  readonly open: Set<number>;
  /** What was told last. */
  told: number;
  /** When the last telling that succeeded began, by both clocks, in milliseconds. */
  toldAt: { readonly monotonic: number; readonly wall: number };
}

export interface EventWriterOptions {
  /** The time of day. It orders nothing: when it jumps, the writer asks whether it may go on. */
  readonly clock?: Clock;
  /** Milliseconds that no setting of the clock changes; they may stand still while the machine sleeps. */
  readonly monotonic?: () => number;
}

export class EventWriter {
  readonly #writers: EventWriters;
  readonly #clock: Clock;
  readonly #monotonic: () => number;
  #registering: Promise<Registration> | null = null;
  #current: Registration | null = null;
  #telling: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** When it is due, and when the latest telling was begun, by the monotonic clock. */
  #due = 0;
  #triedAt = Number.NEGATIVE_INFINITY;
  #hasFailed = false;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #isEnding = false;

  constructor(
    database: mongo.Db,
    { clock = systemClock, monotonic = () => performance.now() }: EventWriterOptions = {},
  ) {
    this.#clock = clock;
    this.#monotonic = monotonic;
    this.#writers = new EventWriters(database, monotonic);
  }

  /** Begins a group. Only the first one waits for the server. @throws ApiError SERVICE_UNAVAILABLE, or the driver's fault */
  async begin(deadline: Deadline): Promise<GroupStamp> {
    const registration = await this.#registered(deadline);
    const sequence = ++registration.last;
    registration.open.add(sequence);
    return { writer: registration.number, sequence };
  }

  /** The group has ended for good: nothing of it arrives, leaves or is acknowledged any more. */
  end({ writer, sequence }: GroupStamp): void {
    const registration = this.#current;
    if (registration?.number !== writer) return;
    registration.open.delete(sequence);
    this.#schedule();
  }

  /** Whether readers may have passed over the group for good. */
  isLost({ writer }: GroupStamp): boolean {
    return this.#current?.number !== writer;
  }

  /**
   * Call it when the events of a group are stored, before anybody is told so: when it resolves, every reader finds them.
   * @throws ApiError SERVICE_UNAVAILABLE when they were stored too late, or the driver's fault
   */
  async confirm(stamp: GroupStamp, deadline: Deadline): Promise<void> {
    while (!this.isLost(stamp)) {
      if (!this.#isStale()) return;
      await this.#tellBy(deadline);
    }
    const cause = new Error(`the writer ${stamp.writer} was closed while it was silent`);
    throw new ApiError('SERVICE_UNAVAILABLE', { cause });
  }

  /** Call it when events turn out to be stored under other stamps, before anybody is told that they are stored. */
  async recheck(writers: ReadonlySet<number>, deadline: Deadline): Promise<void> {
    await this.#writers.recheck(writers, deadline);
  }

  /** Tells what is new, and that it ends, unless a group never ended. It begins none afterwards. */
  async close(): Promise<void> {
    this.#isEnding = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#registering?.catch(() => undefined);
    await this.#telling?.catch(() => undefined);
    const registration = this.#current;
    if (registration === null) return;
    const { number, open } = registration;
    const telling =
      open.size === 0
        ? this.#writers.close(number, settledOf(registration), TELL_MS)
        : this.#writers.beat(number, settledOf(registration), TELL_MS);
    // Without it others find out after a while.
    await telling.catch(() => undefined);
  }

  async #registered(deadline: Deadline): Promise<Registration> {
    for (;;) {
      const current = this.#current;
      if (current && !this.#isStale()) return current;
      if (current) await this.#tellBy(deadline);
      else {
        this.#registering ??= this.#register(deadline).finally(() => {
          this.#registering = null;
        });
        return this.#registering;
      }
    }
  }

  async #register(deadline: Deadline): Promise<Registration> {
    const number = await this.#writers.register(deadline);
    const toldAt = { monotonic: Number.NEGATIVE_INFINITY, wall: 0 };
    const registration = { number, last: 0, open: new Set<number>(), told: 0, toldAt };
    this.#current = registration;
    await this.#tellBy(deadline);
    return registration;
  }

  #isStale(): boolean {
    const told = this.#current?.toldAt;
    if (!told) return true;
    const age = this.#clock.now() - told.wall;
    return this.#monotonic() - told.monotonic > STALE_MS || age > STALE_MS || age < 0;
  }

  #tellBy(deadline: Deadline): Promise<void> {
    return persistently(deadline, (ms) => answeredWithin(ms, this.#tell()));
  }

  /** One at a time; whoever asks meanwhile waits for that one. */
  #tell(): Promise<void> {
    this.#telling ??= this.#beat().finally(() => {
      this.#telling = null;
      this.#schedule();
    });
    return this.#telling;
  }

  async #beat(): Promise<void> {
    const registration = this.#current;
    if (registration === null) return;
    const toldAt = { monotonic: this.#monotonic(), wall: this.#clock.now() };
    const settled = settledOf(registration);
    this.#triedAt = toldAt.monotonic;
    this.#hasFailed = true;
    const isKnown = await this.#writers.beat(registration.number, settled, TELL_MS);
    this.#hasFailed = false;
    if (isKnown) {
      registration.toldAt = toldAt;
      registration.told = settled;
      this.#sweep(registration.number);
    } else if (this.#current === registration) this.#current = null;
  }

  /** Soon when there is something new, else now and then: readers count on it. */
  #schedule(): void {
    const registration = this.#current;
    if (registration === null || this.#isEnding || this.#telling) return;
    const isNew = settledOf(registration) > registration.told;
    const pause = this.#hasFailed ? TELL_AGAIN_MS : isNew ? TELL_AT_MOST_EVERY_MS : TELL_AT_LEAST_EVERY_MS;
    const due = this.#triedAt + pause;
    if (this.#timer && this.#due <= due) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        void this.#tell().catch(() => undefined);
      },
      Math.min(pause, Math.max(0, due - this.#monotonic())),
    ).unref();
  }

  /** Behind everything else: nobody waits for it. */
  #sweep(number: number): void {
    const now = this.#monotonic();
    if (now - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.#sweptAt = now;
    void this.#writers.sweep(number, TELL_MS).catch(() => undefined);
  }
}

/** Sequence numbers rise, so the first open one is the lowest. */
function settledOf({ open, last }: Registration): number {
  const [first] = open;
  return first === undefined ? last : first - 1;
}
