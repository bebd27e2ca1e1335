/** Cuts a range into the buckets of a series: instants computed once, in the requested time zone. */
import { DAY_MS, HOUR_MS, type LocalTime, MINUTE_MS, type Zone } from './zone.ts';

export const GRANULARITIES = ['minute', 'hourly', 'daily', 'weekly', 'monthly'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** Instants from `from` up to, but excluding, `to`. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** One bucket: the part of a minute, hour, day, week or month that lies in the range. */
export interface Bucket extends TimeRange {
  readonly label: string;
  /** The instant at which its minute or hour starts, for buckets of those. */
  readonly start?: number;
}

/** Longest range by granularity, in days: 24 hours of minutes, 30 days of hours, 3,660 of others. */
export const MAX_DAYS: Readonly<Record<Granularity, number>> = {
  minute: 1,
  hourly: 30,
  daily: 3_660,
  weekly: 3_660,
  monthly: 3_660,
};

/** The shortest length of a whole bucket, in days. */
const LEAST_DAYS: Readonly<Record<Granularity, number>> = {
  minute: MINUTE_MS / DAY_MS,
  hourly: 1 / 24,
  daily: 1,
  weekly: 7,
  monthly: 28,
};

/** Length of a range in days: on the wall clock or as time passes, so that a change of offset makes none too long. */
export function lengthInDays(zone: Zone, { from, to }: TimeRange): number {
  return Math.min(zone.localOf(to) - zone.localOf(from), to - from) / DAY_MS;
}

/** Roughly how many buckets a range of this many days has, without cutting it. */
export function estimateBuckets(days: number, granularity: Granularity): number {
  return Math.ceil(days / LEAST_DAYS[granularity]) + 1;
}

/** The buckets of `range`, ascending and without gaps; none when the range is empty. */
export function bucketsOf(zone: Zone, range: TimeRange, granularity: Granularity): Bucket[] {
  switch (granularity) {
    case 'minute':
      return ofClock(zone, range, MINUTE_MS);
    case 'hourly':
      return ofClock(zone, range, HOUR_MS);
    default:
      return wholeDays(zone, range, CALENDAR[granularity]);
  }
}

interface Calendar {
  /** Midnight of the first day of the period that contains `local`. */
  start(local: LocalTime): LocalTime;
  next(start: LocalTime): LocalTime;
}

/** Midnight of the day of a wall-clock time. */
export function dayStart(local: LocalTime): LocalTime {
  return Math.floor(local / DAY_MS) * DAY_MS;
}

/** Midnight of the Sunday on or before a wall-clock time. */
export function weekStart(local: LocalTime): LocalTime {
  const day = dayStart(local);
  return day - new Date(day).getUTCDay() * DAY_MS;
}

/** Midnight of the first day of a wall-clock time's month, or of the month `later` months after it. */
export function monthStart(local: LocalTime, later = 0): LocalTime {
  const first = new Date(dayStart(local));
  first.setUTCDate(1);
  first.setUTCMonth(first.getUTCMonth() + later);
  return first.getTime();
}

const CALENDAR: Readonly<Record<Exclude<Granularity, 'minute' | 'hourly'>, Calendar>> = {
  daily: { start: dayStart, next: (start) => start + DAY_MS },
  weekly: { start: weekStart, next: (start) => start + 7 * DAY_MS },
  monthly: { start: monthStart, next: (start) => monthStart(start, 1) },
};

function wholeDays(zone: Zone, range: TimeRange, calendar: Calendar): Bucket[] {
  const buckets: Bucket[] = [];
  let start = calendar.start(zone.localOf(range.from));
  let from = zone.instantOf(start);
  while (from < range.to) {
    const next = calendar.next(start);
    const to = zone.instantOf(next);
    // A date that the zone skipped altogether has no instants and no bucket.
    if (to > from && to > range.from) {
      buckets.push({
        from: Math.max(from, range.from),
        to: Math.min(to, range.to),
        label: dateText(start),
      });
    }
    start = next;
    from = to;
  }
  return buckets;
}

/** Minutes or hours as the clock shows them, `width` milliseconds wide. */
function ofClock(zone: Zone, range: TimeRange, width: number): Bucket[] {
  const buckets: Bucket[] = [];
  let from = range.from;
  while (from < range.to) {
    const local = zone.localOf(from);
    const shown = Math.floor(local / width) * width;
    const shownEnd = from + (shown + width - local);
    const shownStart = from - (local - shown);
    // A change of offset may end an hour early or start it late.
    const end = zone.changeBetween(from, shownEnd) ?? shownEnd;
    const start = zone.changeBetween(shownStart, from) ?? shownStart;
    const time = new Date(shown).toISOString().slice(11, 16);
    buckets.push({ from, to: Math.min(end, range.to), label: `${dateText(shown)} ${time}:00`, start });
    from = end;
  }
  return buckets;
}

/** `YYYY-MM-DD` of a wall-clock time. */
export function dateText(local: LocalTime): string {
  return new Date(local).toISOString().slice(0, 10);
}
