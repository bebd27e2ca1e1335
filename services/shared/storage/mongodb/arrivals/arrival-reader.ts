/** Reads events as they arrive: what was stored beyond some positions, and by time what lies within them. */
import type { mongo } from 'mongoose';
import type { Partition } from '../../columns/partition.ts';
import { isWithin, type Positions, type Stamp } from '../../columns/positions.ts';
import type { Writers } from '../../columns/sources.ts';
import { EVENT_COLUMNS } from '../../event-columns.ts';
import { answeredWithin } from '../answered-within.ts';
import { EVENT_COLLECTION, type EventDocument } from '../event-document.ts';
import { toWriteError } from '../event-faults.ts';
import { ARRIVALS_INDEX, BY_TIME_INDEX } from '../event-indexes.ts';
import { type ArrivalBounds, type ArrivalRange, arrivalRanges } from './arrival-ranges.ts';
import { CausalReads, type ReadOptions } from './causal-reads.ts';
import { WRITER_COLLECTION, type WriterDocument } from './event-writers.ts';

/** Documents per batch: some megabytes. */
const BATCH = 4_000;

/** How long the server may take for one batch, in milliseconds. */
const BATCH_MS = 30_000;

/** What comes of an event: its columns and its stamp, without what is derived from them. */
const PROJECTION = {
  _id: 0,
  ...Object.fromEntries(EVENT_COLUMNS.map(({ name }) => [name, 1])),
  writer: 1,
  sequence: 1,
};

/** Texts were checked when they were stored. */
const FAST = { enableUtf8Validation: false } as const;

export interface ArrivalSelection extends ArrivalBounds {
  /** Ends with the group that reaches this many events: groups come whole. Absent: everything comes. */
  readonly limit?: number;
}

/** Events of an interval, whose stamps are within the positions; those without a stamp come too. */
export interface TimeSelection {
  /** Epoch milliseconds; `to` is excluded. */
  readonly from: number;
  readonly to: number;
  readonly within: Positions;
}

/** Every method throws ApiError SERVICE_UNAVAILABLE where the server does not answer, or the signal's reason. */
export class ArrivalReader {
  readonly #writers: mongo.Collection<WriterDocument>;
  readonly #events: mongo.Collection;
  readonly #reads: CausalReads;

  constructor(client: mongo.MongoClient, database: mongo.Db) {
    this.#writers = database.collection(WRITER_COLLECTION);
    this.#events = database.collection(EVENT_COLLECTION);
    this.#reads = new CausalReads(client, database);
  }

  /** What all writers have stored by now. */
  async writers(signal?: AbortSignal): Promise<Writers> {
    // From the highest down: whoever sees a writer sees every open one before it.
    const batches = this.#batches<WriterDocument>(signal, (options) =>
      this.#writers.find({}, { ...options, sort: { _id: -1 }, batchSize: BATCH, ...endedBy(signal) }),
    );
    const all = await rowsOf(batches);
    const open = all.flatMap(({ _id, closed, settled, beats, recheck }) =>
      closed ? [] : [{ number: _id, settled, beats, recheck }],
    );
    const sequences = new Map(open.map(({ number, settled }) => [number, settled]));
    return { positions: { sequences, floor: all[0]?._id ?? 0 }, open };
  }

  /** Events with a stamp between the positions, by writer and then sequence number, each with its `_id`. */
  async *read(
    partition: Partition,
    { limit = Number.POSITIVE_INFINITY, ...bounds }: ArrivalSelection,
    signal?: AbortSignal,
  ): AsyncGenerator<EventDocument[], void, undefined> {
    const ranges = arrivalRanges(bounds);
    if (ranges.length === 0) return;
    // Each branch names the whole prefix, and so is one scan in the order that is asked for.
    const filter = { $or: ranges.map((range) => ({ ...placeOf(partition), ...conditionOf(range) })) };
    const batches = this.#batches<EventDocument>(signal, (options) =>
      this.#events.find<EventDocument>(filter, {
        ...options,
        ...FAST,
        projection: { ...PROJECTION, _id: 1 },
        sort: { writer: 1, sequence: 1 },
        hint: ARRIVALS_INDEX,
        batchSize: Math.min(BATCH, limit),
        comment: 'tidegate arrivals',
        ...endedBy(signal),
      }),
    );
    yield* wholeGroups(batches, limit);
  }

  /** Events by timestamp ascending. */
  async *readByTime(
    partition: Partition,
    { from, to, within }: TimeSelection,
    signal?: AbortSignal,
  ): AsyncGenerator<EventDocument[], void, undefined> {
    const filter = { ...placeOf(partition), timestamp: { $gte: from, $lt: to } };
    const batches = this.#batches<EventDocument>(signal, (options) =>
      this.#events.find<EventDocument>(filter, {
        ...options,
        ...FAST,
        projection: PROJECTION,
        sort: { timestamp: 1 },
        ...hintByTime(partition),
        batchSize: BATCH,
        comment: 'tidegate arrivals by time',
        ...endedBy(signal),
      }),
    );
    for await (const batch of batches) {
      const events = batch.filter((event) => isWithin(stampOf(event), within));
      if (events.length > 0) yield events;
    }
  }

  /** The first and the last timestamp of all events, in epoch milliseconds; null: there are none. */
  async bounds(
    partition: Partition,
    signal?: AbortSignal,
  ): Promise<{ readonly from: number; readonly to: number } | null> {
    const [from, to] =
      partition.websiteId === null
        ? await this.#extent(partition, signal)
        : await Promise.all([this.#end(partition, 1, signal), this.#end(partition, -1, signal)]);
    return from === undefined || to === undefined ? null : { from, to };
  }

  /** How many events the partition has, by an index; null when that takes longer than `ms` milliseconds. */
  async count(partition: Partition, ms: number, signal?: AbortSignal): Promise<number | null> {
    const counted = this.#events.countDocuments(placeOf(partition), {
      hint: ARRIVALS_INDEX,
      maxTimeMS: ms,
      readPreference: 'primary',
      ...endedBy(signal),
    });
    try {
      return await answeredWithin(ms, counted);
    } catch {
      signal?.throwIfAborted();
      return null;
    }
  }

  async #end(partition: Partition, direction: 1 | -1, signal?: AbortSignal): Promise<number | undefined> {
    const batches = this.#batches<{ timestamp: number }>(signal, (options) =>
      this.#events.find<{ timestamp: number }>(placeOf(partition), {
        ...options,
        projection: { _id: 0, timestamp: 1 },
        sort: { timestamp: direction },
        ...hintByTime(partition),
        limit: 1,
        ...endedBy(signal),
      }),
    );
    return (await rowsOf(batches))[0]?.timestamp;
  }

  /** No index has the events of an organization without a website by time alone, so each of them is looked at. */
  async #extent(partition: Partition, signal?: AbortSignal): Promise<[number?, number?]> {
    const extent = { _id: null, from: { $min: '$timestamp' }, to: { $max: '$timestamp' } };
    const batches = this.#batches<{ from: number; to: number }>(signal, (options) =>
      this.#events.aggregate<{ from: number; to: number }>(
        [{ $match: placeOf(partition) }, { $group: extent }],
        { ...options, hint: ARRIVALS_INDEX, ...endedBy(signal) },
      ),
    );
    const [found] = await rowsOf(batches);
    return found ? [found.from, found.to] : [];
  }

  async *#batches<D>(
    signal: AbortSignal | undefined,
    open: (options: ReadOptions) => mongo.AbstractCursor<D>,
  ): AsyncGenerator<D[], void, undefined> {
    try {
      signal?.throwIfAborted();
      yield* this.#reads.run((options) => batchesOf(open(options)));
    } catch (fault) {
      signal?.throwIfAborted();
      throw toWriteError(fault);
    }
  }
}

/** The stamp of an event that was read here. */
export function stampOf({ writer, sequence }: EventDocument): Stamp {
  return typeof writer === 'number' && typeof sequence === 'number'
    ? { writer, sequence }
    : { writer: null, sequence: null };
}

async function rowsOf<D>(batches: AsyncIterable<D[]>): Promise<D[]> {
  const rows: D[] = [];
  for await (const batch of batches) rows.push(...batch);
  return rows;
}

async function* batchesOf<D>(cursor: mongo.AbstractCursor<D>): AsyncGenerator<D[], void, undefined> {
  try {
    while (await answeredWithin(BATCH_MS, cursor.hasNext())) yield cursor.readBufferedDocuments();
  } finally {
    // A server that does not answer is not waited for: it forgets the cursor by itself.
    void cursor.close().catch(() => undefined);
  }
}

/** Ends with the group that reaches `limit` events. */
async function* wholeGroups(
  batches: AsyncIterable<EventDocument[]>,
  limit: number,
): AsyncGenerator<EventDocument[], void, undefined> {
  let events = 0;
  let last: EventDocument | null = null;
  for await (const batch of batches) {
    const until = batch.findIndex((event, index) => {
      const before = index === 0 ? last : batch[index - 1];
      return events + index >= limit && before != null && !isOfSameGroup(event, before);
    });
    const taken = until === -1 ? batch : batch.slice(0, until);
    if (taken.length > 0) yield taken;
    if (until !== -1) return;
    events += batch.length;
    last = batch.at(-1) ?? last;
  }
}

function isOfSameGroup(a: EventDocument, b: EventDocument): boolean {
  return a.writer === b.writer && a.sequence === b.sequence;
}

export function placeOf({ organizationId, websiteId }: Partition) {
  return { website_id: websiteId, organization_id: organizationId };
}

/** Which of two indexes has fewer events of others to pass over only the server can tell where there is no website. */
function hintByTime({ websiteId }: Partition) {
  return websiteId === null ? {} : { hint: BY_TIME_INDEX };
}

export function conditionOf(range: ArrivalRange): mongo.Document {
  if ('writer' in range) return { writer: range.writer, sequence: between(range.above, range.upTo, '$lte') };
  return { writer: between(range.above, range.below, '$lt') };
}

/** Without the ends that are infinite; at least one is not, or the field only has to be a number. */
function between(above: number, upTo: number, upper: '$lt' | '$lte'): mongo.Document {
  return {
    $gt: Number.isFinite(above) ? above : -1,
    ...(Number.isFinite(upTo) ? { [upper]: upTo } : {}),
  };
}

function endedBy(signal: AbortSignal | undefined) {
  return signal ? { signal } : {};
}
