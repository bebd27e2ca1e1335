/** Numbers per slot of a range as points of a small line; the slot that is going on is a part. */
import type { SparkPoint } from '../charts/spark-path.ts';

/** The range of an answer, as it says it. */
export interface SlotRange {
  readonly granularity: 'minute' | 'hour';
  readonly start: string;
}

const SLOT_MS = { minute: 60_000, hour: 3_600_000 } as const;

export function slotPoints({ granularity, start }: SlotRange, counts: readonly number[]): SparkPoint[] {
  const slotMs = SLOT_MS[granularity];
  return counts.map((value, slot) => ({
    at: Date.parse(start) + slot * slotMs,
    value,
    isWhole: slot < counts.length - 1,
  }));
}

/** The ranges that a screen offers, by the name that stands in the address. */
export const SLOT_RANGES = ['hour', 'day', 'month'] as const;
export type SlotRangeName = (typeof SLOT_RANGES)[number];

/** The one that the address names, else a day. */
export function slotRangeOf(text: string | undefined): SlotRangeName {
  return SLOT_RANGES.find((name) => name === text) ?? 'day';
}

const DAY_MS = 86_400_000;

/** The parameters of the API for a range up to now; `nowMs` moves on by whole hours where its start is told. */
export function slotQuery(name: SlotRangeName, nowMs: number): Record<string, string> {
  if (name === 'hour') return { granularity: 'minute' };
  if (name === 'day') return { granularity: 'hour' };
  const start = new Date(Math.floor((nowMs - 30 * DAY_MS) / SLOT_MS.hour) * SLOT_MS.hour).toISOString();
  return { granularity: 'hour', start };
}
