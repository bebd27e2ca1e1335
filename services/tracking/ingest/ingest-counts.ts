/** What is counted of ingest: the steps that events pass, and the closed list of reasons why they are not stored. */
import type { Count, Metrics } from '../../shared/ports/metrics.ts';
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

/** Counts where measurements go; every cell is made at once, so that a scrape shows zeros too. */
export function createIngestCounts(metrics: Metrics): IngestCounts {
  const passed = metrics.counter('tidegate_ingest_events_total', 'Events that passed a step of ingest.', {
    step: INGEST_STEPS,
  });
  const dropped = metrics.counter('tidegate_ingest_dropped_events_total', 'Events that were not stored.', {
    reason: DROP_REASONS,
  });
  const cells = new Map<IngestStep | DropReason, Count>();
  for (const step of INGEST_STEPS) cells.set(step, passed.of({ step }));
  for (const reason of DROP_REASONS) cells.set(reason, dropped.of({ reason }));
  return { add: (what, count) => cells.get(what)?.add(count) };
}
