/** Counts the way of events through ingest in memory, where tests read it. */
import type { DropReason } from '../../services/shared/model/drop-reasons.ts';
import type { IngestCounts, IngestStep } from '../../services/tracking/ingest/ingest-counts.ts';

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
