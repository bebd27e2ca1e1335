/** The counters of ingest: the steps that events pass, and the reasons why they are not stored. */
import { DROP_REASONS, type DropReason } from '../../shared/model/drop-reasons.ts';
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
