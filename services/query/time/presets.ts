/** Named ranges, computed on the wall clock of the requested time zone. */
import { dayStart, monthStart, type TimeRange, weekStart } from './buckets.ts';
import { DAY_MS, type LocalTime, type Zone } from './zone.ts';

/** First and last day of a range, each as its midnight. */
export interface Days {
  readonly first: LocalTime;
  readonly last: LocalTime;
}

/**
 * Names of presets. last_24h ends now; last_Nd are N days that end today, last_Nm start on the day after the same day N
 * months ago; this_* and all end today; weeks start on Sunday.
 */
export const PRESETS = [
  'today',
  'yesterday',
  'last_24h',
  'last_7d',
  'last_14d',
  'last_28d',
  'last_30d',
  'last_90d',
  'last_6m',
  'last_12m',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
  'this_year',
  'all',
] as const;
export type Preset = (typeof PRESETS)[number];

/** The instants of a preset; `all` starts at the earliest instant, as long as the first event is not known. */
export function presetRange(preset: Preset, zone: Zone, now: number): TimeRange {
  if (preset === 'last_24h') return { from: now - DAY_MS, to: now };
  const { first, last } = presetDays(preset === 'all' ? 'today' : preset, zone.localOf(now));
  return { from: preset === 'all' ? 0 : zone.instantOf(first), to: zone.instantOf(last + DAY_MS) };
}

/** The day after the same day so many months earlier, or after the last day of that month, if it has no such day. */
function afterMonthsBefore(day: LocalTime, months: number): LocalTime {
  const lastOfMonth = monthStart(day, 1 - months) - DAY_MS;
  const sameDay = monthStart(day, -months) + (day - monthStart(day));
  return Math.min(sameDay, lastOfMonth) + DAY_MS;
}

/** The days of `preset` when the wall clock shows `now`. */
export function presetDays(preset: Exclude<Preset, 'last_24h' | 'all'>, now: LocalTime): Days {
  const today = dayStart(now);
  const back = (days: number) => today - days * DAY_MS;
  switch (preset) {
    case 'today':
      return { first: today, last: today };
    case 'yesterday':
      return { first: back(1), last: back(1) };
    case 'last_7d':
      return { first: back(6), last: today };
    case 'last_14d':
      return { first: back(13), last: today };
    case 'last_28d':
      return { first: back(27), last: today };
    case 'last_30d':
      return { first: back(29), last: today };
    case 'last_90d':
      return { first: back(89), last: today };
    case 'last_6m':
      return { first: afterMonthsBefore(today, 6), last: today };
    case 'last_12m':
      return { first: afterMonthsBefore(today, 12), last: today };
    case 'this_week':
      return { first: weekStart(today), last: today };
    case 'last_week':
      return { first: weekStart(today) - 7 * DAY_MS, last: weekStart(today) - DAY_MS };
    case 'this_month':
      return { first: monthStart(today), last: today };
    case 'last_month':
      return { first: monthStart(today, -1), last: monthStart(today) - DAY_MS };
    case 'this_year':
      return { first: monthStart(today, -new Date(today).getUTCMonth()), last: today };
  }
}
