/**
 * Leases in the database: work that only one process may do at a time, over all processes that share the database. No
 * clock of a machine takes part: a holder counts up, and whoever sees the same count for long enough takes the lease.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, mongo } from 'mongoose';
import { answeredWithin, majorityWithin } from './answered-within.ts';

/** One document for each held lease; `_id` is its name. */
export const LEASE_COLLECTION = 'tidegate_leases';

/** How long a lease must be seen without renewal until another process takes it, in milliseconds. */
const LEASE_MS = 30_000;
/** How often the holder renews it, in milliseconds. */
const RENEW_MS = 5_000;
/** How long after the beginning of its last renewal a holder counts it as lost, in milliseconds. */
const LOST_MS = 25_000;
/** How long one command may take, in milliseconds: two in a row end before the lease does. */
const COMMAND_MS = 10_000;
/** How often waiting processes check whether it is free, in milliseconds. */
const LOOK_MS = 200;
const DUPLICATE_KEY = 11_000;

/** Documents of earlier versions have an instant in place of the count; any change of a document is a renewal. */
interface LeaseDocument {
  readonly _id: string;
  readonly holder: string;
  readonly renewals: number;
}

/** What was found of a lease that another process holds, and when it was first there, by the monotonic clock. */
interface Seen {
  readonly document: mongo.WithId<LeaseDocument>;
  readonly since: number;
}

/** A lease that this process holds. */
export interface Lease {
  /** Aborts when the lease is lost: the server was out of reach for too long, or another process has it. */
  readonly signal: AbortSignal;
  /** Gives it back. One that cannot be given back is taken by others after a while. */
  release(): Promise<void>;
}

export class LeaseLostError extends Error {
  constructor(name: string) {
    super(`the lease ${name} was lost`);
    this.name = 'LeaseLostError';
  }
}

export class Leases {
  readonly #leases: mongo.Collection<LeaseDocument>;
  readonly #monotonic: () => number;
  readonly #seen = new Map<string, Seen>();

  /** `monotonic`: milliseconds that no setting of a clock changes. */
  constructor(connection: Connection, monotonic: () => number = () => performance.now()) {
    this.#leases = connection.getClient().db(connection.name).collection(LEASE_COLLECTION);
    this.#monotonic = monotonic;
  }

  /**
   * The lease, or null while another process holds it. One whose holder died is there for a call that comes 30 s, or
   * later, after a call that found it in the same state.
   */
  async tryLease(name: string): Promise<Lease | null> {
    const began = this.#monotonic();
    const holder = randomUUID();
    const found = await answeredWithin(
      COMMAND_MS,
      this.#leases.findOne({ _id: name }, { readPreference: 'primary' }),
    );
    const isTaken =
      found === null ? await this.#make(name, holder) : await this.#takeOver(found, holder, began);
    if (!isTaken) return null;
    this.#seen.delete(name);
    return this.#hold(name, holder, began);
  }

  /** Waits for the lease. @throws the signal's reason, or the driver's fault */
  async take(name: string, signal?: AbortSignal): Promise<Lease> {
    for (;;) {
      signal?.throwIfAborted();
      const lease = await this.tryLease(name);
      if (lease !== null) return lease;
      await delay(LOOK_MS, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
    }
  }

  async #make(name: string, holder: string): Promise<boolean> {
    try {
      const document = { _id: name, holder, renewals: 0 };
      await answeredWithin(COMMAND_MS, this.#leases.insertOne(document, majorityWithin(COMMAND_MS)));
      return true;
    } catch (fault) {
      if (fault instanceof mongo.MongoServerError && fault.code === DUPLICATE_KEY) return false;
      throw fault;
    }
  }

  /** Takes it as it was found, when it has been so for long enough. */
  async #takeOver(found: mongo.WithId<LeaseDocument>, holder: string, began: number): Promise<boolean> {
    const seen = this.#seen.get(found._id);
    if (seen === undefined || !isSame(seen.document, found)) {
      this.#seen.set(found._id, { document: found, since: this.#monotonic() });
      return false;
    }
    if (began - seen.since < LEASE_MS) return false;
    const taken = this.#leases.replaceOne(
      { ...found },
      { holder, renewals: (found.renewals ?? 0) + 1 },
      majorityWithin(COMMAND_MS),
    );
    return (await answeredWithin(COMMAND_MS, taken)).matchedCount === 1;
  }

  #hold(name: string, holder: string, began: number): Lease {
    const lost = new AbortController();
    const lose = () => lost.abort(new LeaseLostError(name));
    let renewedAt = began;
    const renew = async () => {
      const from = this.#monotonic();
      const own = { _id: name, holder };
      const renewal = this.#leases.updateOne(own, { $inc: { renewals: 1 } }, majorityWithin(COMMAND_MS));
      const { matchedCount } = await answeredWithin(COMMAND_MS, renewal);
      if (matchedCount === 1) renewedAt = from;
      else lose();
    };
    const renewing = setInterval(() => {
      if (this.#monotonic() - renewedAt >= LOST_MS) lose();
      void renew().catch(() => undefined);
    }, RENEW_MS);
    return {
      signal: lost.signal,
      release: async () => {
        clearInterval(renewing);
        await answeredWithin(COMMAND_MS, this.#leases.deleteOne({ _id: name, holder })).catch(
          () => undefined,
        );
      },
    };
  }
}

/**
 * Waits for the lease `name`, holds it while `work` runs, and gives it back however that ends. A holder that is killed,
 * or cannot reach the database for the duration of the lease, loses it to the next one; its signal then aborts.
 */
export async function withLease<T>(
  connection: Connection,
  name: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lease = await new Leases(connection).take(name);
  try {
    return await work(lease.signal);
  } finally {
    await lease.release();
  }
}

function isSame(a: object, b: object): boolean {
  return (
    mongo.BSON.EJSON.stringify(a, { relaxed: false }) === mongo.BSON.EJSON.stringify(b, { relaxed: false })
  );
}
