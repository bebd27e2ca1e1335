/** The writers of events: every process that appends has a number, and tells how far it has come. */
import type { mongo } from 'mongoose';
import { answeredWithin, majorityWithin } from '../answered-within.ts';
import { type Deadline, persistently } from '../event-faults.ts';

export const WRITER_COLLECTION = 'event_writers';

/** Of a dead writer: longer than the id of an event that it left pending can be adopted. */
const DEAD_AFTER_MS = 26 * 3_600_000;

/** How long it is watched before, by this process's monotonic clock. */
const WATCHED_MS = 60_000;

const DUPLICATE_KEY = 11_000;

/** A writer. The highest is never removed, so that no number is given twice. */
export interface WriterDocument {
  /** Its number, from 1. */
  readonly _id: number;
  /** Every group up to this number has ended: its events are acknowledged, or taken back, or will never be. */
  readonly settled: number;
  /** Rises whenever it tells of itself. */
  readonly beats: number;
  /** Rises when another process meets an event of it that nobody may have read. */
  readonly recheck: number;
  /** It stores nothing any more. */
  readonly closed: boolean;
  /** When it last told of itself, by the server's clock. */
  readonly at: Date;
}

/** What was seen of a writer, and since when, in milliseconds of a monotonic clock. */
interface Seen {
  readonly beats: number;
  readonly recheck: number;
  readonly since: number;
}

export class EventWriters {
  readonly #writers: mongo.Collection<WriterDocument>;
  readonly #monotonic: () => number;
  /** Those that look dead. */
  #seen: ReadonlyMap<number, Seen> = new Map();

  /** `monotonic`: milliseconds that no setting of a clock changes. */
  constructor(database: mongo.Db, monotonic: () => number = () => performance.now()) {
    this.#writers = database.collection(WRITER_COLLECTION);
    this.#monotonic = monotonic;
  }

  /** A new writer's number: it is durable when this resolves. */
  async register(deadline: Deadline): Promise<number> {
    return persistently(deadline, async (ms) => {
      for (;;) {
        const [highest] = await answeredWithin(ms, this.#highest(ms));
        const _id = (highest?._id ?? 0) + 1;
        const document = { _id, settled: 0, beats: 0, recheck: 0, closed: false, at: new Date(0) };
        try {
          await answeredWithin(ms, this.#writers.insertOne(document, majorityWithin(ms)));
          return _id;
        } catch (fault) {
          if ((fault as { code?: unknown }).code !== DUPLICATE_KEY) throw fault;
        }
      }
    });
  }

  /** Tells how far a writer has come. False: it was closed, by itself or because it was silent for too long. */
  async beat(number: number, settled: number, ms: number): Promise<boolean> {
    return this.#tell(number, settled, {}, ms);
  }

  /** The writer has ended, with every group settled. */
  async close(number: number, settled: number, ms: number): Promise<void> {
    await this.#tell(number, settled, { closed: true }, ms);
  }

  /** Has everybody read again what these writers have not settled. Closed ones have nothing of that kind. */
  async recheck(numbers: ReadonlySet<number>, deadline: Deadline): Promise<void> {
    if (numbers.size === 0) return;
    const open = { _id: { $in: [...numbers] }, closed: false };
    await persistently(deadline, (ms) =>
      answeredWithin(ms, this.#writers.updateMany(open, { $inc: { recheck: 1 } }, majorityWithin(ms))),
    );
  }

  /**
   * Closes writers that died long ago, and removes closed ones below `own`, the number of a writer that has just told of
   * itself. Of what looks dead it closes what has not changed since a call at least a minute ago.
   */
  async sweep(own: number, ms: number): Promise<void> {
    const all = await answeredWithin(ms, this.#writers.find({}, { readPreference: 'primary' }).toArray());
    const now = all.find(({ _id }) => _id === own)?.at;
    if (now === undefined) return;
    const began = this.#monotonic();
    const seen = new Map<number, Seen>();
    for (const { _id, beats, recheck, closed, at } of all) {
      if (closed || now.getTime() - at.getTime() < DEAD_AFTER_MS) continue;
      const before = this.#seen.get(_id);
      const isSame = before?.beats === beats && before.recheck === recheck;
      if (isSame && began - before.since >= WATCHED_MS) {
        const unchanged = { _id, beats, recheck };
        const closing = this.#writers.updateOne(unchanged, { $set: { closed: true } }, majorityWithin(ms));
        await answeredWithin(ms, closing);
      } else seen.set(_id, isSame ? before : { beats, recheck, since: this.#monotonic() });
    }
    this.#seen = seen;
    const ended = { _id: { $lt: own }, closed: true };
    await answeredWithin(ms, this.#writers.deleteMany(ended, majorityWithin(ms)));
  }

  #highest(ms: number): Promise<WriterDocument[]> {
    const highest = { sort: { _id: -1 }, limit: 1, readPreference: 'primary', maxTimeMS: ms } as const;
    return this.#writers.find({}, highest).toArray();
  }

  /** A command that arrives late takes nothing back. */
  async #tell(number: number, settled: number, change: { closed?: true }, ms: number): Promise<boolean> {
    const told = {
      $max: { settled },
      $inc: { beats: 1 },
      $currentDate: { at: true },
      ...(change.closed ? { $set: change } : {}),
    } as const;
    const open = { _id: number, closed: false };
    const { matchedCount } = await answeredWithin(
      ms,
      this.#writers.updateOne(open, told, majorityWithin(ms)),
    );
    return matchedCount === 1;
  }
}
