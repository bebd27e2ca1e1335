/** The range of counts over time that a request means, and how answers show it. */
import { z } from 'zod';
import { validationError } from '../../shared/errors/zod-details.ts';
import { ACTIVITY_GRAINS, type ActivityGrain } from '../../shared/model/activity.ts';
import type { ActivityRange } from '../../shared/usage/read-activity.ts';
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

const DEFAULT_SLOTS: Readonly<Record<ActivityGrain, number>> = { minute: 60, hour: 24 };

/** @throws ApiError VALIDATION_ERROR for a range that is empty, or begins before what is kept */
export function activityRange(
  { granularity: grain, start, end }: AskedRange,
  nowMs: number,
  names: { readonly start: string; readonly end: string } = { start: 'start', end: 'end' },
): ActivityRange {
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
        field: names.start,
        message: `Counts per ${grain} are kept for ${keptMs / 3_600_000} hours: from ${earliest} on.`,
      },
    ]);
  }
  if (startMs >= endMs) {
    throw validationError([
      { field: names.end, message: `It must be after ${names.start}, and ${names.start} not in the future.` },
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

export function totalOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** A zero for each slot. */
export function zeros({ slots }: ActivityRange): number[] {
  return new Array<number>(slots).fill(0);
}
