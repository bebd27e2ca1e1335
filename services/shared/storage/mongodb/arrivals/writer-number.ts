/** A number of this process among the writers: it stamps groups of appends, and tells behind them how far it has come. */
import type { Clock } from '../../../ports/clock.ts';
import { answeredWithin } from '../answered-within.ts';
import { type Deadline, persistently } from '../event-faults.ts';
import type { EventWriters } from './event-writers.ts';

/** How long it waits at least between two tellings, and at most while nothing happens, in milliseconds. */
const TELL_AT_MOST_EVERY_MS = 250;
const TELL_AT_LEAST_EVERY_MS = 5_000;

/** How long it waits after a telling that failed, and how long one may take, in milliseconds. */
const TELL_AGAIN_MS = 1_000;
export const TELL_MS = 5_000;

/** Readers pass over a number that told nothing for 60 s. Half of that after it told of itself it asks whether it may go on. */
const STALE_MS = 30_000;

/** A group that is open for so long, in milliseconds, holds back what comes after it: sound ones end within half of that. */
const HELD_BACK_MS = 30_000;

/** The stamp of a group of appends. */
export interface GroupStamp {
  readonly writer: number;
  readonly sequence: number;
}

export interface WriterNumberOptions {
  readonly writers: EventWriters;
  readonly clock: Clock;
  /** Milliseconds that no setting of the clock changes. */
  readonly monotonic: () => number;
  /** Called after each telling that reached an open number. */
  readonly told: (number: WriterNumber) => void;
  /** Called when it is closed, by itself or by others. */
  readonly closed: (number: WriterNumber) => void;
}

export class WriterNumber {
  readonly number: number;
  readonly #options: WriterNumberOptions;
  /** The highest sequence number given so far. */
  #last = 0;
  /** Groups that have not ended, and when each began, by the monotonic clock; their numbers rise. */
  readonly #open = new Map<number, number>();
  /** What was told last. */
  #told = 0;
  /** When the last telling that succeeded began, by both clocks, in milliseconds. */
  #toldAt = { monotonic: Number.NEGATIVE_INFINITY, wall: 0 };
  #telling: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** When it is due, and when the latest telling was begun, by the monotonic clock. */
  #due = 0;
  #triedAt = Number.NEGATIVE_INFINITY;
  #hasFailed = false;
  #isRetired = false;
  #isEnding = false;
  #isClosed = false;

  constructor(number: number, options: WriterNumberOptions) {
    this.number = number;
    this.#options = options;
  }

  /** Whether readers may be about to pass over it: it has to tell of itself before anything is called stored. */
  get isStale(): boolean {
    const { monotonic, wall } = this.#toldAt;
    const age = this.#options.clock.now() - wall;
    return this.#options.monotonic() - monotonic > STALE_MS || age > STALE_MS || age < 0;
  }

  /** Whether groups cannot be settled because one before them has not ended for long. */
  get isHeldBack(): boolean {
    const [first] = this.#open;
    if (first === undefined) return false;
    const [sequence, began] = first;
    return sequence < this.#last && this.#options.monotonic() - began >= HELD_BACK_MS;
  }

  begin(): GroupStamp {
    const sequence = ++this.#last;
    this.#open.set(sequence, this.#options.monotonic());
    return { writer: this.number, sequence };
  }

  end(sequence: number): void {
    this.#open.delete(sequence);
    this.#schedule();
  }

  /** No group begins any more: it is closed when those that are open have ended. */
  retire(): void {
    this.#isRetired = true;
    this.#schedule();
  }

  /** Tells how far it has come. @throws the driver's fault, when the deadline is over */
  tellBy(deadline: Deadline): Promise<void> {
    return persistently(deadline, (ms) => answeredWithin(ms, this.#tell()));
  }

  /** Tells what is new, and that it ends, unless a group never ended. Without an answer others find out after a while. */
  async close(): Promise<void> {
    this.#isEnding = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#telling?.catch(() => undefined);
    if (this.#isClosed) return;
    const tell = this.#open.size === 0 ? 'close' : 'beat';
    await this.#options.writers[tell](this.number, this.#settled, TELL_MS).catch(() => undefined);
  }

  /** Sequence numbers rise, so the first open one is the lowest. */
  get #settled(): number {
    const [first] = this.#open.keys();
    return first === undefined ? this.#last : first - 1;
  }

  get #hasEnded(): boolean {
    return this.#isRetired && this.#open.size === 0;
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
    if (this.#isClosed) return;
    const { writers, clock, monotonic } = this.#options;
    const toldAt = { monotonic: monotonic(), wall: clock.now() };
    const settled = this.#settled;
    this.#triedAt = toldAt.monotonic;
    this.#hasFailed = true;
    const isOpen = this.#hasEnded
      ? await writers.close(this.number, settled, TELL_MS).then(() => false)
      : await writers.beat(this.number, settled, TELL_MS);
    this.#hasFailed = false;
    if (!isOpen) {
      this.#isClosed = true;
      this.#options.closed(this);
      return;
    }
    this.#toldAt = toldAt;
    this.#told = settled;
    this.#options.told(this);
  }

  /** Soon when there is something new, else now and then: readers count on it. */
  #schedule(): void {
    if (this.#isClosed || this.#isEnding || this.#telling) return;
    const isNew = this.#settled > this.#told || this.#hasEnded;
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
      Math.min(pause, Math.max(0, due - this.#options.monotonic())),
    ).unref();
  }
}
