/** Calendar dates as texts (`2026-11-23`), and presets on the calendar as the API has them: a range is known before it answers. */

const DAY_MS = 86_400_000;

/** The presets of the API whose days are known without it, in the order in which they are offered. */
export const PRESETS = [
  'today',
  'yesterday',
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
] as const;
export type Preset = (typeof PRESETS)[number];

/** First and last day, both of the range. */
export interface Days {
  readonly first: string;
  readonly last: string;
}

const instantOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

/** Whether a text is a date that the calendar has. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const instant = instantOf(text);
  return !Number.isNaN(instant) && dayOf(instant) === text;
}

export function addDays(day: string, count: number): string {
  return dayOf(instantOf(day) + count * DAY_MS);
}

/** Days of a range. */
export function lengthOf({ first, last }: Days): number {
  return Math.round((instantOf(last) - instantOf(first)) / DAY_MS) + 1;
}

/** The Sunday on or before a day. */
export function weekStart(day: string): string {
  return addDays(day, -new Date(instantOf(day)).getUTCDay());
}

/** The first day of a day's month, or of a month `later` than that. */
export function monthStart(day: string, later = 0): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return dayOf(Date.UTC(year, month - 1 + later, 1));
}

/** The last day of a day's month. */
export function monthEnd(day: string): string {
  return addDays(monthStart(day, 1), -1);
}

/** The format of the zone that was asked for last: to make one takes longer than all else here. */
let dayFormat: { readonly timeZone: string; readonly format: Intl.DateTimeFormat } | null = null;

function dayFormatOf(timeZone: string): Intl.DateTimeFormat {
  if (dayFormat?.timeZone !== timeZone) {
    const format = new Intl.DateTimeFormat('en', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    dayFormat = { timeZone, format };
  }
  return dayFormat.format;
}

/** The date on the calendar of a zone. */
export function dayIn(timeZone: string, instant: number): string {
  const parts = dayFormatOf(timeZone).formatToParts(instant);
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** The day after the same day so many months earlier, or after the last day of that month, if it has no such day. */
function afterMonthsBefore(day: string, months: number): string {
  const start = monthStart(day, -months);
  const sameDay = addDays(start, lengthOf({ first: monthStart(day), last: day }) - 1);
  return addDays(sameDay > monthEnd(start) ? monthEnd(start) : sameDay, 1);
}

/** The days of a preset: last_Nd are N days that end today, this_* end today, weeks start on Sunday. */
export function presetDays(preset: Preset, today: string): Days {
  const ending = (count: number): Days => ({ first: addDays(today, 1 - count), last: today });
  switch (preset) {
    case 'today':
      return ending(1);
    case 'yesterday':
      return { first: addDays(today, -1), last: addDays(today, -1) };
    case 'last_7d':
      return ending(7);
    case 'last_14d':
      return ending(14);
    case 'last_28d':
      return ending(28);
    case 'last_30d':
      return ending(30);
    case 'last_90d':
      return ending(90);
    case 'last_6m':
      return { first: afterMonthsBefore(today, 6), last: today };
    case 'last_12m':
      return { first: afterMonthsBefore(today, 12), last: today };
    case 'this_week':
      return { first: weekStart(today), last: today };
    case 'last_week':
      return { first: addDays(weekStart(today), -7), last: addDays(weekStart(today), -1) };
    case 'this_month':
      return { first: monthStart(today), last: today };
    case 'last_month':
      return { first: monthStart(today, -1), last: addDays(monthStart(today), -1) };
    case 'this_year':
      return { first: `${today.slice(0, 4)}-01-01`, last: today };
  }
}
