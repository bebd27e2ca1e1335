/** The documents of events that go cold: stamps for those that have none, and their removal, in bounded steps. */
import type { mongo } from 'mongoose';
import type { Partition } from '../../columns/partition.ts';
import type { ColdRange } from '../../columns/segment-set.ts';
import { answeredWithin, majorityWithin } from '../answered-within.ts';
import { EVENT_COLLECTION } from '../event-document.ts';
import { toWriteError } from '../event-faults.ts';
import { arrivalRanges } from './arrival-ranges.ts';
import { conditionOf, placeOf } from './arrival-reader.ts';

/** Entries of an index that a step goes over. */
const AT_ONCE = 10_000;

/** How long a step may take before the server counts as unavailable, in milliseconds. */
const STEP_MS = 30_000;

/** Of no writer, and within all positions: writers are numbered from 1. */
const OLD_STAMP = { writer: 0, sequence: 0 };

/** Before every stamp. */
const NOTHING = { sequences: new Map<number, number>(), floor: -1 };

type Filter = mongo.Filter<mongo.Document>;

/** Every method throws ApiError SERVICE_UNAVAILABLE where the server does not answer, or the signal's reason. */
export class ColdDocuments {
  readonly #events: mongo.Collection;
  readonly #atOnce: number;

  constructor(database: mongo.Db, atOnce = AT_ONCE) {
    this.#events = database.collection(EVENT_COLLECTION);
    this.#atOnce = atOnce;
  }

  /** Stamps the events before an instant that were stored before stamps were given. */
  async stamp(partition: Partition, before: number, signal: AbortSignal): Promise<void> {
    const update = { $set: OLD_STAMP };
    for await (const range of this.#steps(partition, before, signal)) {
      const step = { ...range, writer: { $exists: false } };
      await answered(signal, this.#events.updateMany(step, update, majorityWithin(STEP_MS)));
    }
  }

  /** Removes the documents of the range; after each step, how many. */
  async *drop(
    partition: Partition,
    { before, within }: ColdRange,
    signal: AbortSignal,
  ): AsyncGenerator<number> {
    const stamps = arrivalRanges({ beyond: NOTHING, within }).map(conditionOf);
    if (stamps.length === 0) return;
    for await (const range of this.#steps(partition, before, signal)) {
      const step = { ...range, $or: stamps };
      yield (await answered(signal, this.#events.deleteMany(step, majorityWithin(STEP_MS)))).deletedCount;
    }
  }

  /** The events of the partition before an instant, by an index, as filters of so many of its entries each. */
  async *#steps(partition: Partition, before: number, signal: AbortSignal): AsyncGenerator<Filter> {
    const { websiteId, organizationId } = partition;
    const walked: Filter =
      websiteId === null ? { organization_id: organizationId } : { website_id: websiteId };
    const sort = Object.fromEntries(
      [...Object.keys(walked), 'timestamp'].map((field) => [field, 1 as const]),
    );
    for (let after: { $gt?: number } = {}; ; ) {
      signal.throwIfAborted();
      const place = this.#events.find(
        { ...walked, timestamp: { ...after, $lt: before } },
        {
          projection: { _id: 0, timestamp: 1 },
          sort,
          skip: this.#atOnce - 1,
          limit: 1,
          readPreference: 'primary',
          maxTimeMS: STEP_MS,
        },
      );
      const [last] = await answered(signal, place.toArray());
      const until = last === undefined ? {} : { $lte: last.timestamp };
      yield { ...placeOf(partition), timestamp: { ...after, $lt: before, ...until } };
      if (last === undefined) return;
      after = { $gt: last.timestamp };
    }
  }
}

async function answered<R>(signal: AbortSignal, answer: Promise<R>): Promise<R> {
  try {
    return await answeredWithin(STEP_MS, answer);
  } catch (fault) {
    signal.throwIfAborted();
    throw toWriteError(fault);
  }
}
