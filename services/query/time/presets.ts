/** Named ranges, computed on the wall clock of the requested time zone. */
import { dayStart, monthStart, weekStart } from './buckets.ts';
import { DAY_MS, type LocalTime } from './zone.ts';

/** First and last day of a range, each as its midnight. */
export interface Days {
  readonly first: LocalTime;
  readonly last: LocalTime;
}

/** Names of presets; last_Nd are N days that end today, this_* end today, weeks start on Sunday. */
export const PRESETS = [
  'today',
  'yesterday',
  'last_7d',
  'last_14d',
  'last_30d',
  'last_90d',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
  'this_year',
] as const;
export type Preset = (typeof PRESETS)[number];

/** The days of `preset` when the wall clock shows `now`. */
export function presetDays(preset: Preset, now: LocalTime): Days {
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
    case 'last_30d':
      return { first: back(29), last: today };
    case 'last_90d':
      return { first: back(89), last: today };
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
