/** How long a window that begins or goes on now may last: its own length, or until its calendar period ends. */
import { monthOf, nextMonthMs } from '../model/organization-usage.ts';
import { type LimitUse, LONGEST_PERIOD_MS, type Period } from '../ports/counter-store.ts';

/** When the period of this instant ends, in epoch milliseconds: midnight in UTC. */
export function periodEndMs(period: Period, nowMs: number): number {
  if (period === 'month') return nextMonthMs(nowMs);
  const day = LONGEST_PERIOD_MS.day;
  return (Math.floor(nowMs / day) + 1) * day;
}

/** The length of the month of this instant, in milliseconds. */
export function monthSpanMs(nowMs: number): number {
  return nextMonthMs(nowMs) - Date.parse(`${monthOf(nowMs)}-01T00:00:00.000Z`);
}

/** Milliseconds from `nowMs`, an instant of the clock, to the latest end of what is counted now. */
export function windowLengthMs(
  { period, windowMs }: Pick<LimitUse, 'period' | 'windowMs'>,
  nowMs: number,
): number {
  return period === undefined ? windowMs : periodEndMs(period, nowMs) - nowMs;
}
