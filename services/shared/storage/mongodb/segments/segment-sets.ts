/** Segment sets in MongoDB: one document for each partition, changed by compare-and-set. */
import { mongo } from 'mongoose';
import { type Partition, partitionId } from '../../columns/partition.ts';
import { type SegmentSet, type SetState, visibleSet } from '../../columns/segment-set.ts';
import { answeredWithin, majorityWithin } from '../answered-within.ts';
import { answering } from '../outage.ts';
import { emptyState, firstFields, type SetDocument, toSetContent, toSetState } from './set-document.ts';

export const SEGMENT_SET_COLLECTION = 'segment_sets';

/** How long a command may take, in milliseconds. */
const COMMAND_MS = 10_000;

const DUPLICATE_KEY = 11_000;

/** Documents per command. */
const MOST_AT_ONCE = 1_000;

/** A partition that has a document, and roughly how many events were stored since its last build. */
export interface ListedSet {
  readonly state: SetState;
  readonly fresh: number;
}

/** Every method rejects with ApiError SERVICE_UNAVAILABLE when the server cannot answer. */
export class SegmentSets {
  readonly #sets: mongo.Collection<SetDocument>;

  constructor(database: mongo.Db) {
    this.#sets = database.collection<SetDocument>(SEGMENT_SET_COLLECTION, {
      readPreference: 'primary',
      readConcern: { level: 'majority' },
    });
  }

  /**
   * What queries may read: null when nothing was built yet, `unchanged` when the version is `known`. Every change that was
   * acknowledged before is in it.
   */
  async read(partition: Partition, known?: number): Promise<SegmentSet | 'unchanged' | null> {
    if (known !== undefined) {
      const projection = { _id: 0, version: 1 } as const;
      const present = await command(
        this.#sets.findOne({ _id: partitionId(partition) }, { projection, maxTimeMS: COMMAND_MS }),
      );
      if (present?.version === known) return 'unchanged';
    }
    return visibleSet(await this.readState(partition));
  }

  /** All that is kept of a partition, for whoever changes it; of version 0 when nothing is. */
  async readState(partition: Partition): Promise<SetState> {
    const found = await command(
      this.#sets.findOne({ _id: partitionId(partition) }, { maxTimeMS: COMMAND_MS }),
    );
    return found === null ? emptyState(partition) : toSetState(found);
  }

  /**
   * Writes `next` if its partition still has the version before. False: another change came first, and nothing was
   * written. When it rejects, it may have been written. `built`: its segments hold every event that was fresh.
   */
  async replace(next: SetState, { built = false } = {}): Promise<boolean> {
    const { _id, ...first } = firstFields(next.partition);
    const created = { ...first, ...(built ? {} : { fresh: 0 }) };
    const change = this.#sets.updateOne(
      { _id, version: next.version - 1 },
      { $set: { ...toSetContent(next), ...(built ? { fresh: 0 } : {}) }, $setOnInsert: created },
      { upsert: next.version === 1, ...majorityWithin(COMMAND_MS) },
    );
    try {
      const { matchedCount, upsertedCount } = await command(change);
      return matchedCount + upsertedCount === 1;
    } catch (fault) {
      // The upsert of a first version met a document of another one.
      if (fault instanceof mongo.MongoServerError && fault.code === DUPLICATE_KEY) return false;
      throw fault;
    }
  }

  /** Adds to the events that each partition has got since its last build: a hint that may be lost. */
  async addFresh(
    added: readonly { readonly partition: Partition; readonly events: number }[],
  ): Promise<void> {
    const operations = added.map(({ partition, events }) => {
      const { _id, ...first } = firstFields(partition);
      const update = { $inc: { fresh: events }, $setOnInsert: { ...first, version: 0 } };
      return { updateOne: { filter: { _id }, update, upsert: true } };
    });
    for (let from = 0; from < operations.length; from += MOST_AT_ONCE) {
      const some = operations.slice(from, from + MOST_AT_ONCE);
      await command(this.#sets.bulkWrite(some, { ordered: false, ...majorityWithin(COMMAND_MS) }));
    }
  }

  /** A build has found no event that is fresh. */
  async resetFresh(partition: Partition): Promise<void> {
    const change = this.#sets.updateOne({ _id: partitionId(partition) }, { $set: { fresh: 0 } });
    await command(change);
  }

  /** Those with at least so many fresh events, the most first. */
  async listFresh(atLeast: number, most: number): Promise<ListedSet[]> {
    const found = this.#sets
      .find({ fresh: { $gte: atLeast } }, { maxTimeMS: COMMAND_MS })
      .sort({ fresh: -1 })
      .limit(most);
    return (await command(found.toArray())).map(toListed);
  }

  /** Those that have damaged segments which cannot be made anew. */
  async listDamaged(most: number): Promise<SetState[]> {
    const found = this.#sets.find({ damaged: { $gt: 0 } }, { maxTimeMS: COMMAND_MS }).limit(most);
    return (await command(found.toArray())).map(toSetState);
  }

  /** Those with segments that are not cold and reach back before an instant, or whose documents are about to leave. */
  async listOlder(before: number): Promise<Partition[]> {
    const isOlder = { oldest: { $lt: before } };
    // Of an earlier version, and unchanged since.
    const isUnknown = { oldest: { $exists: false }, 'segments.0': { $exists: true } };
    const found = this.#sets.find(
      { $or: [isOlder, isUnknown, { 'segments.cold': 'leaving' }] },
      { projection: { _id: 0, organization_id: 1, website_id: 1 }, maxTimeMS: COMMAND_MS },
    );
    return (await command(found.toArray())).map(({ organization_id, website_id }) => ({
      organizationId: organization_id,
      websiteId: website_id,
    }));
  }

  /** The websites of an organization of whose events some are cold; null: events without a website. */
  async listCold(organizationId: string): Promise<(string | null)[]> {
    const projection = { _id: 0, website_id: 1 } as const;
    const found = this.#sets.find(
      { organization_id: organizationId, cold: { $ne: null } },
      { projection, maxTimeMS: COMMAND_MS },
    );
    return (await command(found.toArray())).map(({ website_id }) => website_id);
  }

  /** Those of one organization, or all. */
  async *list(organizationId?: string): AsyncGenerator<ListedSet> {
    const filter = organizationId === undefined ? {} : { organization_id: organizationId };
    const found = this.#sets.find(filter, { maxTimeMS: COMMAND_MS });
    for (;;) {
      const document = await command(found.next());
      if (document === null) return;
      yield toListed(document);
    }
  }
}

function toListed(document: SetDocument): ListedSet {
  return { state: toSetState(document), fresh: document.fresh };
}

function command<R>(answer: Promise<R>): Promise<R> {
  return answering(() => answeredWithin(COMMAND_MS, answer));
}
