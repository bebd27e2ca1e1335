/** Removes the events of a selection in steps, each of which uses an index. */
import type { mongo } from 'mongoose';
import type { EventSelection } from '../../ports/event-store.ts';
import { answeredWithin, majorityWithin } from './answered-within.ts';
import { EVENT_COLLECTION } from './event-document.ts';
import { toWriteError } from './event-faults.ts';

/** Events removed per step. */
const ERASED_AT_ONCE = 10_000;

/** How long a step may take before the server counts as unavailable, in milliseconds. */
const STEP_MS = 30_000;

/**
 * Implements `erase` of the port. The ids stay until they are a day old: an erased event is not stored again when it is
 * sent once more.
 */
export async function eraseEvents(
  database: mongo.Db,
  selection: EventSelection,
  signal?: AbortSignal,
): Promise<number> {
  const events = database.collection(EVENT_COLLECTION);
  const filter = filterOf(selection);
  try {
    for (let erased = 0; ; ) {
      signal?.throwIfAborted();
      const next = events.find(filter, {
        projection: { _id: 1 },
        limit: ERASED_AT_ONCE,
        readPreference: 'primary',
        maxTimeMS: STEP_MS,
      });
      const found = await answeredWithin(STEP_MS, next.toArray());
      if (found.length === 0) return erased;
      const step = { ...filter, _id: { $in: found.map(({ _id }) => _id) } };
      const deletion = events.deleteMany(step, majorityWithin(STEP_MS));
      erased += (await answeredWithin(STEP_MS, deletion)).deletedCount;
    }
  } catch (cause) {
    throw signal?.aborted ? signal.reason : toWriteError(cause);
  }
}

/** Starts with the first fields of the index website_timestamp when there is a website, else of organization_timestamp. */
function filterOf({
  organizationId,
  websiteId,
  anonymousId,
  before,
  profileId,
  visitors,
}: EventSelection): mongo.Filter<mongo.Document> {
  if (before !== undefined && !Number.isSafeInteger(before)) throw new TypeError(`${before} is no instant`);
  return {
    ...(websiteId === null ? {} : { website_id: websiteId }),
    organization_id: organizationId,
    ...(anonymousId === null ? {} : { anonymous_id: anonymousId }),
    ...(profileId === undefined ? {} : { profile_id: profileId }),
    ...(visitors === undefined ? {} : { $and: [{ anonymous_id: { $in: [...visitors] } }] }),
    ...(before === undefined ? {} : { timestamp: { $lt: before } }),
  };
}
