/** Reads counts over time, one after the other, so that nobody holds more of them than they need. */
import {
  ACTIVITY_GRAINS,
  type ActivityGrain,
  type ActivitySubject,
  activitySeriesName,
  parseCell,
} from '../model/activity.ts';
import type { DocumentStore, Position } from '../ports/document-store.ts';

/** Whole slots, in epoch milliseconds. */
export interface ActivityRange {
  readonly grain: ActivityGrain;
  readonly startMs: number;
  readonly endMs: number;
  readonly slots: number;
}

/** Documents per look-up: few, so that other requests get a turn between them. */
const MOST_AT_ONCE = 10;

/**
 * Calls `each` with the labels of every count of the range, its slot from 0 on, and how many; labels come again for each slot and
 * each process. The last five seconds of each process may be missing.
 */
export async function readActivity(
  documents: Pick<DocumentStore, 'activity'>,
  subject: ActivitySubject,
  { grain, startMs, endMs, slots }: ActivityRange,
  each: (labels: string, slot: number, count: number) => void,
): Promise<void> {
  const { slotMs, documentMs } = ACTIVITY_GRAINS[grain];
  const where = [{ field: 'series', values: [activitySeriesName(subject, grain)] }] as const;
  let after: Position | undefined;
  for (;;) {
    const page = await documents.activity.search(subject.organizationId, {
      limit: MOST_AT_ONCE,
      sortBy: 'startsAt',
      order: 'descending',
      where,
      ...(after && { after }),
    });
    for (const { startsAt, counts } of page.documents) {
      const fromMs = Date.parse(startsAt);
      if (fromMs + documentMs <= startMs) return;
      if (fromMs >= endMs) continue;
      const first = (fromMs - startMs) / slotMs;
      for (const [name, count] of Object.entries(counts)) {
        const { slot, labels } = parseCell(name);
        if (first + slot >= 0 && first + slot < slots) each(labels, first + slot, count);
      }
    }
    if (page.next === null) return;
    after = page.next;
  }
}
