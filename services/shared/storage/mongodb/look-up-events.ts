/** Runs a pipeline that looks a few things up in the documents of events, within a time limit. */
import type { mongo } from 'mongoose';
import type { RawRow } from '../../ports/event-store.ts';
import { answeredWithin } from './answered-within.ts';
import { EVENT_COLLECTION } from './event-document.ts';
import { toLookUpError } from './event-faults.ts';

/** How long the server may work on it, and how much later an unanswered one is given up, in milliseconds. */
const LOOK_UP_MS = 30_000;
const GRACE_MS = 2_000;

/** Stages of an aggregation over the collection of events, whose results are flat rows. */
export type EventPipeline = readonly Readonly<Record<string, unknown>>[];

/**
 * Its rows, read where the connection string says, by default from the primary.
 * @throws ApiError SERVICE_UNAVAILABLE, or TIMEOUT
 */
export async function lookUpEvents(database: mongo.Db, pipeline: EventPipeline): Promise<RawRow[]> {
  const stages = pipeline.map((stage) => ({ ...stage }));
  const options = { allowDiskUse: true, maxTimeMS: LOOK_UP_MS, comment: 'tidegate look-up' };
  const rows = database.collection(EVENT_COLLECTION).aggregate<RawRow>(stages, options);
  try {
    return await answeredWithin(LOOK_UP_MS + GRACE_MS, rows.toArray());
  } catch (fault) {
    throw toLookUpError(fault);
  }
}
