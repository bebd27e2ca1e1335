/** Reads counts over time: which range a request means, and how often each set of labels was counted in each slot of it. */
import { z } from 'zod';
import { validationError } from '../../shared/errors/zod-details.ts';
import {
  ACTIVITY_GRAINS,
  type ActivityGrain,
  type ActivitySubject,
  activitySeriesName,
} from '../../shared/model/activity.ts';
import type { DocumentStore, Position } from '../../shared/ports/document-store.ts';
import { wordedInstantSchema } from '../instant-input.ts';

/** The range of a query string. */
export const activityRangeShape = {
  granularity: z
    .enum(['minute', 'hour'])
    .default('hour')
    .describe('One number per minute, kept for 48 hours, or per hour, kept for 90 days.'),
  start: wordedInstantSchema
    .optional()
    .describe('The first instant; default: an hour before `end` for minutes, a day for hours.'),
  end: wordedInstantSchema.optional().describe('The instant before which the range ends; default: now.'),
};

/** The range on the wire. */
export const activityRangeViewShape = {
  granularity: z.enum(['minute', 'hour']),
  start: z.iso.datetime().describe('When the first slot begins.'),
  end: z.iso.datetime().describe('When the last slot ends.'),
};

interface AskedRange {
  readonly granularity: ActivityGrain;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

/** Whole slots, in epoch milliseconds. */
export interface ActivityRange {
  readonly grain: ActivityGrain;
  readonly startMs: number;
  readonly endMs: number;
  readonly slots: number;
}

const DEFAULT_SLOTS: Readonly<Record<ActivityGrain, number>> = { minute: 60, hour: 24 };
/** Few, so that other requests get a turn between them: a busy hour has thousands of counts. */
const MOST_AT_ONCE = 10;

/** @throws ApiError VALIDATION_ERROR for a range that is empty, or begins before what is kept */
export function activityRange({ granularity: grain, start, end }: AskedRange, nowMs: number): ActivityRange {
  const { slotMs, keptMs, documentMs } = ACTIVITY_GRAINS[grain];
  const endMs =
    Math.ceil((end === undefined ? nowMs + 1 : Math.min(Date.parse(end), nowMs + slotMs)) / slotMs) * slotMs;
  const startMs =
    start === undefined
      ? endMs - DEFAULT_SLOTS[grain] * slotMs
      : Math.floor(Date.parse(start) / slotMs) * slotMs;
  if (startMs < nowMs - keptMs - documentMs) {
    const earliest = new Date(nowMs - keptMs).toISOString();
    throw validationError([
      {
        field: 'start',
        message: `Counts per ${grain} are kept for ${keptMs / 3_600_000} hours: from ${earliest} on.`,
      },
    ]);
  }
  if (startMs >= endMs) {
    throw validationError([
      { field: 'end', message: 'It must be after start, and start not in the future.' },
    ]);
  }
  return { grain, startMs, endMs, slots: (endMs - startMs) / slotMs };
}

/** A range as answers show it. */
export function viewRange({ grain, startMs, endMs }: ActivityRange) {
  return {
    granularity: grain,
    start: new Date(startMs).toISOString(),
    end: new Date(endMs).toISOString(),
  };
}

/** By set of labels: a number for each slot of the range. The last five seconds of each process may be missing. */
export async function readActivity(
  documents: Pick<DocumentStore, 'activity'>,
  subject: ActivitySubject,
  { grain, startMs, endMs, slots }: ActivityRange,
): Promise<Map<string, number[]>> {
  const { slotMs, documentMs } = ACTIVITY_GRAINS[grain];
  const where = [{ field: 'series', values: [activitySeriesName(subject, grain)] }] as const;
  const found = new Map<string, number[]>();
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
      if (fromMs + documentMs <= startMs) return found;
      for (const [name, count] of Object.entries(counts)) {
        const bar = name.indexOf('|');
        const slot = (fromMs - startMs) / slotMs + Number(name.slice(0, bar));
        if (slot < 0 || slot >= slots || fromMs >= endMs) continue;
        const labels = name.slice(bar + 1);
        let row = found.get(labels);
        if (row === undefined) {
          row = new Array<number>(slots).fill(0);
          found.set(labels, row);
        }
        row[slot] = (row[slot] ?? 0) + count;
      }
    }
    if (page.next === null) return found;
    after = page.next;
  }
}

/** Adds the numbers of `counts` to those of `sum`. */
export function addCounts(sum: number[], counts: readonly number[]): void {
  for (const [slot, count] of counts.entries()) sum[slot] = (sum[slot] ?? 0) + count;
}

export function totalOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
