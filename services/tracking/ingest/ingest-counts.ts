/** What is counted of ingest: the steps that events pass, and the closed list of reasons why they are not stored. */
import type { IngestCounts } from '../ports.ts';

/** Steps of `ingest.ts`, in their order, each counting the events that passed it; `received` are all that came. */
export const INGEST_STEPS = [
  'received',
  'validateSender',
  'validateEvents',
  'putWebsites',
  'putRecords',
  'writeEvents',
  'writeProfiles',
] as const;
export type IngestStep = (typeof INGEST_STEPS)[number];

/** Why events are not stored; a crawler is no reason: its events are kept, marked. */
export const DROP_REASONS = [
  /** No key and no website named: 401. */
  'site_unnamed',
  /** No key, and no such website: 403. */
  'site_unknown',
  /** No key, and the website takes no events without one: 403. */
  'keyless_off',
  /** No key, and a page of another site sends: 403. */
  'origin_foreign',
  /** No key, and the event names another website than the request: 403. */
  'site_other',
  /** The key does not reach the website: 403. */
  'site_unreachable',
  /** The event, or one beside it in its array, breaks a rule: 400. */
  'faulty',
  /** Stored before, by its eventId: 200. */
  'repeated',
  /** A store was down or its queue full: 503. */
  'not_stored',
  /** A fault of the service itself: 500. */
  'internal_fault',
] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** Counts in memory. */
export interface IngestCounters extends IngestCounts {
  /** How many so far. */
  of(what: IngestStep | DropReason): number;
}

export function createIngestCounters(): IngestCounters {
  const counted = new Map<IngestStep | DropReason, number>();
  const of = (what: IngestStep | DropReason): number => counted.get(what) ?? 0;
  return {
    of,
    add: (what, count) => {
      counted.set(what, of(what) + count);
    },
  };
}
