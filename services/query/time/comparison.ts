/** The other period that a range is compared with, and where an instant of the range falls in it. */
import { dateText, dayStart, type TimeRange } from './buckets.ts';
import { DAY_MS, type LocalTime, type Zone } from './zone.ts';

/** Names of periods: the one just before, of the same length, and the same dates a year before. */
export const COMPARED_PERIODS = ['previous', 'year'] as const;

/** `weekday` moves the period by days, so that it starts on the same weekday as the range. */
export const ALIGNMENTS = ['date', 'weekday'] as const;

/** What to compare with; a range stands for itself. */
export interface CompareWith {
  readonly period: (typeof COMPARED_PERIODS)[number] | TimeRange;
  readonly align: (typeof ALIGNMENTS)[number];
}

/**
 * How instants move: by time as it passes, by days on the wall clock, or to the same date a year before, where 29
 * February has no counterpart, unless it is the only day: then it is the 28th.
 */
export type Shift =
  | { readonly by: 'time'; readonly ms: number }
  | { readonly by: 'days'; readonly days: number }
  | { readonly by: 'year'; readonly leapDay: 'none' | 'before' };

export interface Comparison {
  /** The period, cut where the range is now. */
  readonly range: TimeRange;
  readonly shift: Shift;
}

/** A range as a request names it. */
export interface NamedRange {
  readonly startDate: string;
  readonly endDate: string;
}

export function isSameRange(one: NamedRange, other: NamedRange | undefined): boolean {
  return one.startDate === other?.startDate && one.endDate === other.endDate;
}

/** The period that a range is compared with. While the range is running, only as much of it as has passed of the range. */
export function comparisonOf(range: TimeRange, compared: CompareWith, zone: Zone, now: number): Comparison {
  const { period, shift } =
    compared.align === 'date' ? byDate(range, compared, zone) : byWeekday(range, compared, zone);
  // A range may include the present instant.
  if (now + 1 >= range.to) return { range: period, shift };
  const reached = startIn(shift, Math.max(range.from, now), zone);
  return { range: { from: period.from, to: Math.max(period.from, Math.min(period.to, reached)) }, shift };
}

/** Days where it is whole days of the zone, else instants; asked for by these names it is the same range. */
export function namedRange({ from, to }: TimeRange, zone: Zone): NamedRange {
  if (from < to && isMidnight(zone, from) && isMidnight(zone, to)) {
    const [first, end] = [wallTime(zone, from), wallTime(zone, to)];
    return { startDate: dateText(first), endDate: dateText(end - DAY_MS) };
  }
  return { startDate: new Date(from).toISOString(), endDate: new Date(to).toISOString() };
}

/** Where something that starts at this instant starts in the other period. */
export function startIn(shift: Shift, instant: number, zone: Zone): number {
  if (shift.by === 'time') return instant + shift.ms;
  if (shift.by === 'days') return addDays(zone, instant, shift.days);
  return zone.instantOf(yearBefore(wallTime(zone, instant), shift.leapDay === 'before' ? 'back' : 'on'));
}

/** Where something that ends at this instant ends in the other period: a day ends with its date. */
export function endIn(shift: Shift, instant: number, zone: Zone): number {
  if (shift.by !== 'year' || !isMidnight(zone, instant)) return startIn(shift, instant, zone);
  return zone.instantOf(yearBefore(wallTime(zone, instant) - DAY_MS, 'back') + DAY_MS);
}

/** What the clock shows in the other period; null: on no day of it. */
export function wallTimeIn(shift: Exclude<Shift, { by: 'time' }>, local: LocalTime): LocalTime | null {
  if (shift.by === 'days') return local + shift.days * DAY_MS;
  if (isLeapDay(local) && shift.leapDay === 'none') return null;
  return yearBefore(local, 'back');
}

type Shifted = { readonly period: TimeRange; readonly shift: Shift };

function byDate(range: TimeRange, { period }: CompareWith, zone: Zone): Shifted {
  const shift = shiftByDate(range, period, zone);
  return { period: typeof period === 'object' ? period : moved(range, shift, zone), shift };
}

function shiftByDate(range: TimeRange, period: CompareWith['period'], zone: Zone): Shift {
  if (period === 'year') {
    const first = dayStart(zone.localOf(range.from));
    const last = dayStart(zone.localOf(Math.max(range.from, range.to - 1)));
    return { by: 'year', leapDay: first === last && isLeapDay(first) ? 'before' : 'none' };
  }
  const days = wholeDays(zone, range);
  if (period === 'previous') {
    return days === null ? { by: 'time', ms: range.from - range.to } : { by: 'days', days: -days };
  }
  if (days === null || wholeDays(zone, period) === null) return { by: 'time', ms: period.from - range.from };
  return { by: 'days', days: daysBetween(zone, range.from, period.from) };
}

/** The nearest period that starts on the same weekday, but not the range itself. */
function byWeekday(range: TimeRange, compared: CompareWith, zone: Zone): Shifted {
  const dated = byDate(range, compared, zone);
  const days = daysBetween(zone, range.from, dated.period.from);
  const nearest = Math.round(days / 7) * 7;
  if (typeof compared.period !== 'object') {
    const shift: Shift = { by: 'days', days: nearest === 0 ? -7 : nearest };
    return { period: moved(range, shift, zone), shift };
  }
  const by = nearest === 0 ? 7 * Math.sign(days) : nearest;
  const period = moved(compared.period, { by: 'days', days: by - days }, zone);
  return { period, shift: shiftByDate(range, period, zone) };
}

function moved({ from, to }: TimeRange, shift: Shift, zone: Zone): TimeRange {
  return { from: startIn(shift, from, zone), to: endIn(shift, to, zone) };
}

/** How many days on the wall clock a range has; null when it starts or ends within a day. */
function wholeDays(zone: Zone, { from, to }: TimeRange): number | null {
  if (from >= to || !isMidnight(zone, from) || !isMidnight(zone, to)) return null;
  return daysBetween(zone, from, to);
}

/** How many days on the wall clock later the day of `to` is than the day of `from`. */
function daysBetween(zone: Zone, from: number, to: number): number {
  return Math.round((dayStart(zone.localOf(to)) - dayStart(zone.localOf(from))) / DAY_MS);
}

/** Whether a day starts at this instant: at its midnight or, where the clock skips that, at the change. */
function isMidnight(zone: Zone, instant: number): boolean {
  return zone.instantOf(dayStart(zone.localOf(instant))) === instant;
}

/** What the clock shows, where the start of a day counts as midnight, shown or not. */
function wallTime(zone: Zone, instant: number): LocalTime {
  const local = zone.localOf(instant);
  return isMidnight(zone, instant) ? dayStart(local) : local;
}

function addDays(zone: Zone, instant: number, days: number): number {
  return zone.instantOf(wallTime(zone, instant) + days * DAY_MS);
}

/** The same time of the same date a year before; for 29 February the same time of the 28th, or the start of 1 March. */
function yearBefore(local: LocalTime, leapDay: 'back' | 'on'): LocalTime {
  const date = new Date(local);
  const isLeap = isLeapDay(local);
  if (isLeap && leapDay === 'back') date.setTime(local - DAY_MS);
  if (isLeap && leapDay === 'on') date.setTime(dayStart(local) + DAY_MS);
  date.setUTCFullYear(date.getUTCFullYear() - 1);
  return date.getTime();
}

function isLeapDay(local: LocalTime): boolean {
  const date = new Date(local);
  return date.getUTCMonth() === 1 && date.getUTCDate() === 29;
}
