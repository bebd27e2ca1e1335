/** The range of time that a screen is about: read from its address, stepped, zoomed, and told to the API. */
import {
  addDays,
  type Days,
  isDay,
  lengthOf,
  monthEnd,
  monthStart,
  PRESETS,
  type Preset,
  presetDays,
} from './calendar.ts';

/** Every preset that is offered: those of the calendar, and two whose days are not known without the API. */
export const RANGE_PRESETS = ['last_24h', ...PRESETS, 'all'] as const;
export type RangePreset = (typeof RANGE_PRESETS)[number];

function isOfCalendar(preset: RangePreset): preset is Preset {
  return preset !== 'last_24h' && preset !== 'all';
}

/** A preset, days (both are of the range), or instants (the end is not of the range). */
export type Range =
  | { readonly preset: RangePreset }
  | { readonly first: string; readonly last: string }
  | { readonly from: string; readonly to: string };

export const DEFAULT_PRESET: Preset = 'last_30d';

export const GRANULARITIES = ['minute', 'hourly', 'daily', 'weekly', 'monthly'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** More minutes than these, in days, are too many to see; the API would take four times as many. */
const MAX_DAYS_OF_MINUTES = 0.25;
/** The API refuses hours of more days than these. */
const MAX_DAYS_OF_HOURS = 30;
const DAY_MS = 86_400_000;

type Parameters = Readonly<Record<string, string | undefined>>;

/** The range of an address; one that makes no sense is the default. */
export function rangeOf({ range, from, to }: Parameters): Range {
  const preset = RANGE_PRESETS.find((each) => each === range);
  if (preset) return { preset };
  if (from && to && isDay(from) && isDay(to) && from <= to) return { first: from, last: to };
  if (from && to && isInstant(from) && isInstant(to) && from < to) return { from, to };
  return { preset: DEFAULT_PRESET };
}

/** Of one form alone, so that two of them compare as texts. */
function isInstant(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** A range as it stands in an address. */
export function rangeParameters(range: Range): Parameters {
  const none = { range: undefined, from: undefined, to: undefined };
  if ('preset' in range) {
    return { ...none, range: range.preset === DEFAULT_PRESET ? undefined : range.preset };
  }
  return 'first' in range
    ? { ...none, from: range.first, to: range.last }
    : { ...none, from: range.from, to: range.to };
}

/** A range as the API takes it. */
export function rangeFields(range: Range): Readonly<Record<string, string>> {
  if ('preset' in range) return { preset: range.preset };
  return 'first' in range
    ? { startDate: range.first, endDate: range.last }
    : { startDate: range.from, endDate: range.to };
}

/** The days of a range; undefined of one between instants, of the last 24 hours and of all time. */
export function daysOf(range: Range, today: string): Days | undefined {
  if ('preset' in range) return isOfCalendar(range.preset) ? presetDays(range.preset, today) : undefined;
  return 'first' in range ? range : undefined;
}

/** Infinite of all time. */
export function lengthInDays(range: Range, today: string): number {
  if ('from' in range) return (Date.parse(range.to) - Date.parse(range.from)) / DAY_MS;
  const days = daysOf(range, today);
  if (days !== undefined) return lengthOf(days);
  return 'preset' in range && range.preset === 'all' ? Number.POSITIVE_INFINITY : 1;
}

/** The widths of buckets that say something about a range, and that the API computes. */
export function granularitiesOf(range: Range, today: string): readonly Granularity[] {
  const days = lengthInDays(range, today);
  return GRANULARITIES.filter((each) => {
    if (each === 'minute') return days <= MAX_DAYS_OF_MINUTES;
    if (each === 'hourly') return days <= MAX_DAYS_OF_HOURS;
    return days > { daily: 1, weekly: 7, monthly: 28 }[each];
  });
}

/** The granularity of an address, or the one that suits the range best. */
export function granularityOf(wanted: string | undefined, range: Range, today: string): Granularity {
  const allowed = granularitiesOf(range, today);
  const chosen = allowed.find((each) => each === wanted);
  if (chosen) return chosen;
  const days = lengthInDays(range, today);
  if (days <= 1 / 12) return 'minute';
  if (days <= 2 && allowed.includes('hourly')) return 'hourly';
  if (days <= 120) return 'daily';
  return days <= 731 ? 'weekly' : 'monthly';
}

/** The range as long as this one before it (-1) or after it (1); null when all of it would lie in the future. */
export function stepped(range: Range, direction: -1 | 1, today: string, now: number): Range | null {
  if ('from' in range) {
    const from = Date.parse(range.from);
    const to = Date.parse(range.to);
    const by = direction * (to - from);
    if (from + by > now) return null;
    return { from: new Date(from + by).toISOString(), to: new Date(to + by).toISOString() };
  }
  const days = daysOf(range, today);
  if (days === undefined) return 'preset' in range ? steppedOpen(range.preset, direction, now) : null;
  const next = steppedDays(range, days, direction);
  return next.first > today ? null : next;
}

/** The day before the last 24 hours; all time has nothing beside it. */
function steppedOpen(preset: RangePreset, direction: -1 | 1, now: number): Range | null {
  if (preset !== 'last_24h' || direction === 1) return null;
  const day = (count: number) => new Date(now - count * DAY_MS).toISOString();
  return { from: day(2), to: day(1) };
}

function steppedDays(range: Range, days: Days, direction: -1 | 1): Days {
  const period = 'preset' in range ? PERIODS[range.preset] : undefined;
  if (period === 'week') {
    const first = addDays(days.first, 7 * direction);
    return { first, last: addDays(first, 6) };
  }
  const months = period === 'year' ? 12 : wholeMonths(days, period === 'month');
  if (months > 0) {
    const first = monthStart(days.first, months * direction);
    return { first, last: monthEnd(monthStart(first, months - 1)) };
  }
  const by = lengthOf(days) * direction;
  return { first: addDays(days.first, by), last: addDays(days.last, by) };
}

/** Presets of the running week, month and year: what stands beside them is a whole one. */
const PERIODS: Partial<Record<RangePreset, 'week' | 'month' | 'year'>> = {
  this_week: 'week',
  this_month: 'month',
  this_year: 'year',
};

/** How many calendar months the days are, so that the step from a month is a month; 0 when they are no whole ones. */
function wholeMonths({ first, last }: Days, isRunning: boolean): number {
  if (first !== monthStart(first)) return 0;
  if (!isRunning && last !== monthEnd(last)) return 0;
  const [year = 0, month = 0] = first.split('-').map(Number);
  const [lastYear = 0, lastMonth = 0] = last.split('-').map(Number);
  return (lastYear - year) * 12 + lastMonth - month + 1;
}
