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

/** Why events are not stored, and what is answered; a crawler is no reason: its events are kept, marked. */
export const DROPS = {
  site_unnamed: { status: 401, when: 'No key, and no website named.' },
  site_unknown: { status: 403, when: 'No key, and no such website.' },
  keyless_off: { status: 403, when: 'No key, and the website takes no events without one.' },
  origin_foreign: { status: 403, when: 'No key, and a page of another site sends.' },
  site_other: { status: 403, when: 'No key, and an event names another website than the request.' },
  site_unreachable: { status: 403, when: 'The key does not reach the website.' },
  faulty: { status: 400, when: 'The event, or one beside it in its array, breaks a rule.' },
  repeated: { status: 200, when: 'Stored before, by its eventId.' },
  not_stored: { status: 503, when: 'A store was down, its disk full, or too many events waited.' },
  internal_fault: { status: 500, when: 'A fault of the service itself.' },
} as const;
export type DropReason = keyof typeof DROPS;
export const DROP_REASONS = Object.keys(DROPS) as readonly DropReason[];

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
