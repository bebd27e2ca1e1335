/** Numbers, dates and countries in the reader's language; times in the organization's time zone, which the header names. */
import { computed, signal } from '@preact/signals';
import { agoOf, untilOf } from './ago.ts';
import { language, texts } from './texts.ts';

/** The zone in which times are shown: whoever knows it sets it. */
export const timezone = signal('UTC');

const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;

function formats(tag: string, timeZone: string) {
  const date = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(tag, { timeZone, ...options });
  // A calendar date is the same everywhere: it is shown as it is written.
  const day = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(tag, { timeZone: 'UTC', ...options });
  const unit = (name: string) =>
    new Intl.NumberFormat(tag, { style: 'unit', unit: name, unitDisplay: 'narrow' });
  return {
    number: new Intl.NumberFormat(tag),
    compact: new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 1 }),
    percent: new Intl.NumberFormat(tag, { style: 'percent', ...ONE_DECIMAL }),
    percentTick: new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 }),
    dateTime: date({ dateStyle: 'medium', timeStyle: 'short' }),
    time: date({ timeStyle: 'short' }),
    date: date({ dateStyle: 'medium' }),
    day: day({ dateStyle: 'medium' }),
    weekday: day({ weekday: 'short', day: 'numeric', month: 'short' }),
    month: day({ month: 'long', year: 'numeric' }),
    clock: day({ timeStyle: 'short' }),
    dayTick: day({ day: 'numeric', month: 'short' }),
    monthTick: day({ month: 'short', year: 'numeric' }),
    relative: new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }),
    countries: new Intl.DisplayNames(tag, { type: 'region', fallback: 'none' }),
    languages: new Intl.DisplayNames(tag, { type: 'language', fallback: 'code' }),
    plurals: new Intl.PluralRules(tag),
    list: new Intl.ListFormat(tag, { type: 'conjunction' }),
    hour: unit('hour'),
    minute: unit('minute'),
    second: unit('second'),
  };
}

const current = computed(() => formats(language.value, timezone.value));

export const formatNumber = (value: number): string => current.value.number.format(value);
export const formatCompact = (value: number): string =>
  Math.abs(value) < 10_000 ? formatNumber(value) : current.value.compact.format(value);
/** `value` of 100, as the API tells rates; always with one decimal, so that those of a column stand below each other. */
export const formatPercent = (value: number): string => current.value.percent.format(value / 100);
/** As short as it stands beside an axis. */
export const formatPercentTick = (value: number): string => current.value.percentTick.format(value / 100);
export const formatInstant = (instant: string | number): string =>
  current.value.dateTime.format(new Date(instant));
export const formatTime = (instant: string | number): string => current.value.time.format(new Date(instant));
export const formatDate = (instant: string | number): string => current.value.date.format(new Date(instant));
export const formatList = (items: readonly string[]): string => current.value.list.format(items);

/** Seconds as the longest two units that are not zero, such as `2 min 5 s`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const parts: [number, 'hour' | 'minute' | 'second'][] = [
    [Math.floor(whole / 3600), 'hour'],
    [Math.floor((whole % 3600) / 60), 'minute'],
    [whole % 60, 'second'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  const shown = first < 0 ? parts.slice(2) : parts.slice(first, first + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => current.value[unit].format(count)).join(' ');
}

/** How long ago something was, such as `3 hours ago`; `now` at the earliest. */
export function formatAgo(instant: string | number, now = Date.now()): string {
  return current.value.relative.format(...agoOf(new Date(instant).getTime(), now));
}

/** How long it is until something, such as `in 3 hours`; `now` at the earliest. */
export function formatUntil(instant: string | number, now = Date.now()): string {
  return current.value.relative.format(...untilOf(new Date(instant).getTime(), now));
}

/**
 * The bucket of a series, as the API writes it: `2026-11-23`, or `2026-11-23 14:00:00` of an hour. It is wall-clock time of the zone
 * already, and shown as it stands.
 */
export function formatBucket(bucket: string, granularity: string): string {
  const at = new Date(`${bucket.replace(' ', 'T')}${bucket.length > 10 ? 'Z' : 'T00:00:00Z'}`);
  if (Number.isNaN(at.getTime())) return bucket;
  const { weekday, month, day, clock } = current.value;
  if (granularity === 'hourly' || granularity === 'minute')
    return `${weekday.format(at)}, ${clock.format(at)}`;
  if (granularity === 'monthly') return month.format(at);
  return granularity === 'daily' ? weekday.format(at) : day.format(at);
}

/** A bucket as short as it stands below an axis; of hours, the clock within a day or two, and the day beyond. */
export function formatTick(bucket: string, granularity: string, isClock: boolean): string {
  const at = new Date(`${bucket.replace(' ', 'T')}${bucket.length > 10 ? 'Z' : 'T00:00:00Z'}`);
  if (Number.isNaN(at.getTime())) return bucket;
  const { clock, dayTick, monthTick } = current.value;
  if (granularity === 'minute' || (granularity === 'hourly' && isClock)) return clock.format(at);
  return granularity === 'monthly' ? monthTick.format(at) : dayTick.format(at);
}

/** Days from one to another, both calendar dates. */
export function formatDays(first: string, last: string): string {
  return current.value.day.formatRange(new Date(`${first}T00:00:00Z`), new Date(`${last}T00:00:00Z`));
}

/** A time from one instant to another. */
export function formatSpan(from: string, to: string): string {
  return current.value.dateTime.formatRange(new Date(from), new Date(to));
}

/** The name of a country by its ISO code; what is no code stays as it is. */
export function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return current.value.countries.of(code) ?? code;
}

/** The name of a language by its tag, such as `de-AT`. */
export function languageName(tag: string): string {
  try {
    return current.value.languages.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** The form of a word that goes with a number. */
export function plural(count: number, one: string, other: string): string {
  return `${formatNumber(count)} ${current.value.plurals.select(count) === 'one' ? one : other}`;
}

/** A text for what has no name in the data. */
export const named = (text: string): string => (text === 'Unknown' ? texts.value.words.unknown : text);
