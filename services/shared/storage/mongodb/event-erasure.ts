/** Removes the events of a selection in steps, each of which reads a bounded part of an index. */
import type { mongo } from 'mongoose';
import type { EventSelection } from '../../ports/event-store.ts';
import { answeredWithin, majorityWithin } from './answered-within.ts';
import { EVENT_COLLECTION } from './event-document.ts';
import { toWriteError } from './event-faults.ts';

/** Events looked at per step. */
const AT_ONCE = 10_000;

/** How long a step may take before the server counts as unavailable, in milliseconds. */
const STEP_MS = 30_000;

type Filter = mongo.Filter<mongo.Document>;
type Events = mongo.Collection;

export interface ErasureOptions {
  /** Ends it between two steps. */
  readonly signal?: AbortSignal | undefined;
  /** Events looked at per step. Default 10,000. */
  readonly atOnce?: number;
}

/**
 * Implements `erase` of the port. The ids stay until they are a day old: an erased event is not stored again when it is
 * sent once more.
 */
export async function eraseEvents(
  database: mongo.Db,
  selection: EventSelection,
  { signal, atOnce = AT_ONCE }: ErasureOptions = {},
): Promise<number> {
  const events = database.collection(EVENT_COLLECTION);
  const filter = filterOf(selection);
  const { websiteId, anonymousId, visitors } = selection;
  const isOfVisitors = websiteId !== null && (anonymousId !== null || visitors !== undefined);
  const steps = isOfVisitors
    ? stepsOfVisitors(events, filter, atOnce)
    : stepsByTime(events, filter, selection, atOnce);
  let erased = 0;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { value, done } = await steps.next();
      if (done === true) return erased;
      erased += value;
    }
  } catch (cause) {
    throw signal?.aborted ? signal.reason : toWriteError(cause);
  }
}

/** The events of visitors of a website lie together in the index website_visitor, so the next ones are always its first. */
async function* stepsOfVisitors(
  events: Events,
  filter: Filter,
  atOnce: number,
): AsyncGenerator<number, void> {
  for (;;) {
    const next = events.find(filter, { projection: { _id: 1 }, limit: atOnce, ...READ });
    const found = await answeredWithin(STEP_MS, next.toArray());
    if (found.length === 0) return;
    yield await remove(events, { ...filter, _id: { $in: found.map(({ _id }) => _id) } });
  }
}

/**
 * Every other selection may be few among many, so a step goes over the next `atOnce` entries of website_timestamp or
 * organization_timestamp, whether they are selected or not, and the one after it begins where it ended.
 */
async function* stepsByTime(
  events: Events,
  filter: Filter,
  { websiteId, organizationId, before }: EventSelection,
  atOnce: number,
): AsyncGenerator<number, void> {
  // Fields of the index alone, so that no event is read to find the place where a step ends.
  const walked: Filter = websiteId === null ? { organization_id: organizationId } : { website_id: websiteId };
  const sort = Object.fromEntries([...Object.keys(walked), 'timestamp'].map((field) => [field, 1 as const]));
  const until = before === undefined ? {} : { $lt: before };
  for (let after: { $gt?: number } = {}; ; ) {
    const range = { ...after, ...until };
    const place = events.find(
      { ...walked, ...within(range) },
      { projection: { _id: 0, timestamp: 1 }, sort, skip: atOnce - 1, limit: 1, ...READ },
    );
    const [last] = await answeredWithin(STEP_MS, place.toArray());
    if (last === undefined) {
      yield await remove(events, { ...filter, ...within(range) });
      return;
    }
    yield await remove(events, { ...filter, ...within({ ...range, $lte: last.timestamp }) });
    after = { $gt: last.timestamp };
  }
}

const READ = { readPreference: 'primary', maxTimeMS: STEP_MS } as const;

async function remove(events: Events, step: Filter): Promise<number> {
  return (await answeredWithin(STEP_MS, events.deleteMany(step, majorityWithin(STEP_MS)))).deletedCount;
}

function within(range: object): Filter {
  return Object.keys(range).length === 0 ? {} : { timestamp: range };
}

/** Everything selected; starts with the first fields of an index. */
function filterOf({
  organizationId,
  websiteId,
  anonymousId,
  before,
  profileId,
  visitors,
}: EventSelection): Filter {
  if (before !== undefined && !Number.isSafeInteger(before)) throw new TypeError(`${before} is no instant`);
  return {
    ...(websiteId === null ? {} : { website_id: websiteId }),
    organization_id: organizationId,
    ...(anonymousId === null ? {} : { anonymous_id: anonymousId }),
    ...(profileId === undefined ? {} : { profile_id: profileId }),
    ...(visitors === undefined ? {} : { $and: [{ anonymous_id: { $in: [...visitors] } }] }),
    ...within(before === undefined ? {} : { $lt: before }),
  };
}
