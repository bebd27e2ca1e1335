/** Tells the processes over one database that one of them wrote what verdicts depend on, also when it dies while it writes. */
import { createHash, randomUUID } from 'node:crypto';
import type { Model } from 'mongoose';
import type { Clock } from '../../ports/clock.ts';
import { type DocumentAccess, isDuplicate } from './document-access.ts';
import { MAJORITY_MS, modelOf, READ_MS } from './document-models.ts';

/** The collection: one document per process that ever wrote, until a week after its last write. */
export const CHANGE_COLLECTION = 'change_counts';

/** What a process says of its writes; both rise, and are equal while none is under way. */
interface ChangeCount {
  /** Of the process; never used again. */
  readonly _id: string;
  /** How many writes it said it would begin. */
  readonly begun: number;
  /** How many of these are done. */
  readonly done: number;
  /** Of the last word; an index removes what is old. */
  readonly at: Date;
}

/**
 * How long a write that was begun and not said to be done may still be committed, in milliseconds: as long as a connection
 * waits for an answer. Then it was, or never will be.
 */
export const SETTLED_AFTER_MS = 60_000;

/**
 * One count could not do: raised before the write, others would read what was there before it and take that for new; raised
 * after it, a crash in between would hide the write for ever. So each write stands between two words, and while one is
 * open, every reading differs from the last. What a process never closes counts as closed after {@link SETTLED_AFTER_MS}.
 *
 * Each process has a document of its own: no two contend, and own writes need no subtraction.
 */
export class ChangeCounter {
  readonly #access: DocumentAccess;
  readonly #clock: Clock;
  readonly #model: Model<ChangeCount>;
  readonly #id = randomUUID();
  #begun = 0;
  #done = 0;
  #underWay = 0;
  /** Until when a write of this process, whose outcome is not known, may be committed. */
  #uncertainUntil = 0;
  #saying: Promise<void> | null = null;
  #sayingNext: Promise<void> | null = null;
  #readings = 0;
  /** Open words of other processes: which, and since when this process knows of it. */
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

  /** Does `write` between the two words. @throws ApiError SERVICE_UNAVAILABLE, then nothing was written, and what `write` throws */
  async around<R>(write: () => Promise<R>): Promise<R> {
    await this.#open();
    try {
      return await this.#watched(write);
    } finally {
      this.#underWay--;
      await this.#close();
    }
  }

  /** Differs from every earlier reading while, and once, another process wrote. @throws ApiError SERVICE_UNAVAILABLE */
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
    // A digest, not a sum: a process that leaves the collection must not make up for one that wrote.
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

  /** Says that all is done, if it is. Unsaid, the others look again and again, and then once more: nobody misses a write. */
  async #close(): Promise<void> {
    if (this.#underWay > 0 || this.#clock.now() < this.#uncertainUntil) return;
    this.#done = this.#begun;
    await this.#say().catch(() => undefined);
  }

  /** Stores both counts as they are when it is sent. Whoever comes while one is on its way shares the next. */
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

  /** Sets the greater of what is there and what is known here, so that a repeated or late one does no harm. */
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
