/** A lease in the database: work that only one process may do at a time, over all processes that share the database. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, mongo } from 'mongoose';
import { answeredWithin } from './answered-within.ts';

/** One document for each held lease; `_id` is its name. */
export const LEASE_COLLECTION = 'tidegate_leases';

/** How long a lease outlives its holder's last renewal, in milliseconds: how long others wait when the holder was killed. */
const LEASE_MS = 30_000;
/** How often the holder renews it, in milliseconds. */
const RENEW_MS = 5_000;
/** How long one command may take, in milliseconds: two in a row end before the lease does. */
const COMMAND_MS = 10_000;
/** How often waiting processes check whether it is free, in milliseconds. */
const LOOK_MS = 200;
const DUPLICATE_KEY = 11_000;

interface LeaseDocument {
  readonly _id: string;
  readonly holder: string;
  /** Epoch milliseconds by the holder's clock: clocks of machines may differ by less than the lease lasts. */
  readonly expiresAt: number;
}

/**
 * Waits for the lease `name`, holds it while `work` runs, and gives it back however that ends. A holder that is killed,
 * or cannot reach the database for the duration of the lease, loses it to the next one.
 */
export async function withLease<T>(connection: Connection, name: string, work: () => Promise<T>): Promise<T> {
  const leases = connection.collection<LeaseDocument>(LEASE_COLLECTION);
  const holder = randomUUID();

  async function take(): Promise<boolean> {
    const now = Date.now();
    try {
      const taking = leases.updateOne(
        { _id: name, expiresAt: { $lte: now } },
        { $set: { holder, expiresAt: now + LEASE_MS } },
        { upsert: true },
      );
      await answeredWithin(COMMAND_MS, taking);
      return true;
    } catch (fault) {
      // Another process holds the lease, so the upsert tried to insert a second one of its name.
      if (fault instanceof mongo.MongoServerError && fault.code === DUPLICATE_KEY) return false;
      throw fault;
    }
  }

  while (!(await take())) await delay(LOOK_MS);
  // Only if the lease is still ours: a late renewal must not create it anew.
  const renew = () =>
    answeredWithin(
      COMMAND_MS,
      leases.updateOne({ _id: name, holder }, { $set: { expiresAt: Date.now() + LEASE_MS } }),
    );
  const renewing = setInterval(() => void renew().catch(() => undefined), RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    // A lease that cannot be given back expires.
    await answeredWithin(COMMAND_MS, leases.deleteOne({ _id: name, holder })).catch(() => undefined);
  }
}
