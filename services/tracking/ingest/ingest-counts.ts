/** The counters of ingest: the steps that events pass, and the closed list of reasons why they are not stored. */
import type { Count, Metrics } from '../../shared/ports/metrics.ts';

/** Steps of `ingest.ts`, in order, each counting the events that passed it; `received` counts all. */
export const INGEST_STEPS = [
  'received',
  'validateSender',
  'validateEvents',
  'putWebsites',
  'dropUnwilling',
  'takeBudget',
  'putRecords',
  'writeEvents',
  'writeProfiles',
] as const;
export type IngestStep = (typeof INGEST_STEPS)[number];

/** Why events are not stored, and the response status; crawlers are not a reason: their events are stored with a mark. */
export const DROPS = {
  website_unnamed: { status: 401, when: 'No key, and no website named.' },
  website_unknown: { status: 403, when: 'No key, and no such website.' },
  keyless_off: { status: 403, when: 'No key, and the website takes no events without one.' },
  origin_foreign: { status: 403, when: 'No key, and a page of another site sends.' },
  website_other: { status: 403, when: 'No key, and an event names another website than the request.' },
  website_unreachable: { status: 403, when: 'The key does not reach the website.' },
  day_full: {
    status: 429,
    when: 'No key, and the website, or one address of it, has taken its bytes or new profiles of the day.',
  },
  disk_low: { status: 503, when: 'No key, and the disk is low.' },
  faulty: { status: 400, when: 'The event, or one beside it in its array, breaks a rule.' },
  privacy_signal: { status: 200, when: 'The browser asks not to be followed, and the website honours it.' },
  repeated: { status: 200, when: 'Stored before, by its eventId.' },
  not_stored: { status: 503, when: 'A store was down, its disk full, or too many events waited.' },
  internal_fault: { status: 500, when: 'A fault of the service itself.' },
} as const;
export type DropReason = keyof typeof DROPS;
export const DROP_REASONS = Object.keys(DROPS) as readonly DropReason[];

/** Counts events on their way through ingest. */
export interface IngestCounts {
  /** Counts `count` events that passed a step, or were dropped for a reason. */
  add(what: IngestStep | DropReason, count: number): void;
}

/** Counts in the metrics; every cell is created at once, so that a scrape shows zeros too. */
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
