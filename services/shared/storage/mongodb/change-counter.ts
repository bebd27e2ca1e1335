/**
 * Tells the processes on one database that one of them changed what verdicts depend on, even when it dies during the
 * write.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Model } from 'mongoose';
import type { Clock } from '../../ports/clock.ts';
import { type DocumentAccess, isDuplicate } from './document-access.ts';
import { MAJORITY_MS, modelOf, READ_MS } from './document-models.ts';

/** The collection: one document per process that ever wrote, removed a week after its last write. */
export const CHANGE_COLLECTION = 'change_counts';

/** A process's word on its writes; both numbers rise, and are equal while no write is in progress. */
interface ChangeCount {
  /** The id of the process; never reused. */
  readonly _id: string;
  /** How many writes it announced. */
  readonly begun: number;
  /** How many of these are finished. */
  readonly done: number;
  /** When it last wrote this document; an index removes old ones. */
  readonly at: Date;
}

/**
 * How long an announced, unfinished write may still be committed, in milliseconds: as long as a connection waits for an
 * answer. After that it either was committed or never will be.
 */
export const SETTLED_AFTER_MS = 60_000;

/**
 * A single count would not suffice. Raised before the write, it would let others read the old data and take it for new;
 * raised after it, a crash in between would hide the write for ever. So each write is announced before and marked
 * finished after, and while one is open every reading differs from the last. Writes that a process never finishes count
 * as finished after {@link SETTLED_AFTER_MS}.
 *
 * Each process has a document of its own: no two contend, and nobody has to subtract its own writes.
 */
export class ChangeCounter {
  readonly #access: DocumentAccess;
  readonly #clock: Clock;
  readonly #model: Model<ChangeCount>;
  readonly #id = randomUUID();
  #begun = 0;
  #done = 0;
  #underWay = 0;
  /** Until when a write of this process with an unknown outcome may be committed. */
  #uncertainUntil = 0;
  #saying: Promise<void> | null = null;
  #sayingNext: Promise<void> | null = null;
  #readings = 0;
  /** Open writes of other processes: which, and since when this process knows of them. */
  #openOthers = new Map<string, { readonly begun: number; readonly sinceMs: number }>();

  constructor(access: DocumentAccess, clock: Clock) {
    this.#access = access;
    this.#clock = clock;
    this.#model = modelOf<ChangeCount>(access.connection, CHANGE_COLLECTION, {
      _id: { $type: String, required: true },
      begun: { $type: Number },
      done: { $type: Number },
      at: { $type: Date },
    });
  }

  /**
   * Runs `write` between announcement and finish.
   * @throws ApiError SERVICE_UNAVAILABLE, then nothing was written, and what `write` throws
   */
  async around<R>(write: () => Promise<R>): Promise<R> {
    await this.#open();
    try {
      return await this.#watched(write);
    } finally {
      this.#underWay--;
      await this.#close();
    }
  }

  /**
   * Differs from every earlier reading while another process writes, and after it wrote.
   * @throws ApiError SERVICE_UNAVAILABLE
   */
  async foreignChanges(): Promise<number> {
    const counts = await this.#access.run(
      () =>
        this.#model
          .find({ _id: { $ne: this.#id } })
          .sort({ _id: 1 })
          .maxTimeMS(READ_MS)
          .lean<ChangeCount[]>()
          .exec(),
      READ_MS,
    );
    const words = counts.map(({ _id, begun = 0, done = 0 }) => `${_id} ${begun} ${done}`);
    // A digest, not a sum: a process that leaves the collection must not cancel out another's write.
    const digest = createHash('sha256').update(words.join('\n'));
    if (this.#anyOpen(counts)) digest.update(`\nreading ${++this.#readings}`);
    return digest.digest().readUIntBE(0, 6);
  }

  async #open(): Promise<void> {
    this.#begun++;
    this.#underWay++;
    try {
      await this.#say();
    } catch (fault) {
      this.#underWay--;
      throw fault;
    }
  }

  async #watched<R>(write: () => Promise<R>): Promise<R> {
    try {
      return await write();
    } catch (fault) {
      if (!isDuplicate(fault)) this.#uncertainUntil = this.#clock.now() + SETTLED_AFTER_MS;
      throw fault;
    }
  }

  /**
   * Reports that all writes are finished, if they are. Unreported, the others keep re-reading, and read once more in the
   * end: nobody misses a write.
   */
  async #close(): Promise<void> {
    if (this.#underWay > 0 || this.#clock.now() < this.#uncertainUntil) return;
    this.#done = this.#begun;
    await this.#say().catch(() => undefined);
  }

  /** Stores both counts as they are when the command is sent. Callers that arrive meanwhile share the next command. */
  #say(): Promise<void> {
    if (this.#saying === null) {
      this.#saying = this.#store().finally(() => {
        this.#saying = null;
      });
      return this.#saying;
    }
    this.#sayingNext ??= this.#saying
      .catch(() => undefined)
      .then(() => {
        this.#sayingNext = null;
        return this.#say();
      });
    return this.#sayingNext;
  }

  /** Keeps the greater of the stored and the known value, so that a repeated or late command does no harm. */
  async #store(): Promise<void> {
    const counts = { begun: this.#begun, done: this.#done };
    const at = new Date(this.#clock.now());
    await this.#access.run(
      () => this.#model.updateOne({ _id: this.#id }, { $max: counts, $set: { at } }, { upsert: true }).exec(),
      MAJORITY_MS,
    );
  }

  #anyOpen(counts: readonly ChangeCount[]): boolean {
    const now = this.#clock.now();
    const open = counts.filter(({ begun = 0, done = 0 }) => begun > done);
    this.#openOthers = new Map(
      open.map(({ _id, begun }) => {
        const known = this.#openOthers.get(_id);
        return [_id, known?.begun === begun ? known : { begun, sinceMs: now }];
      }),
    );
    return [...this.#openOthers.values()].some(({ sinceMs }) => now - sinceMs < SETTLED_AFTER_MS);
  }
}
