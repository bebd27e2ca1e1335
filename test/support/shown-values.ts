/** How the pages write values of the API in English: worked out apart from them, for tests that hold what is shown against what was answered. */
import { overview } from '../../services/dashboard/client/texts/en/overview.ts';
import type { NameKind } from '../../services/dashboard/client/website/dimensions.ts';

const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
const number = new Intl.NumberFormat('en');
const percent = new Intl.NumberFormat('en', { style: 'percent', ...ONE_DECIMAL });
const euros = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' });
const dateTime = new Intl.DateTimeFormat('en', { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'short' });
const countries = new Intl.DisplayNames('en', { type: 'region' });
const languages = new Intl.DisplayNames('en', { type: 'language' });

function durationText(value: number): string {
  const whole = Math.round(value);
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (hours > 0) return minutes > 0 ? `${hours}h ${minutes}m` : `${hours}h`;
  if (minutes > 0) return seconds > 0 ? `${minutes}m ${seconds}s` : `${minutes}m`;
  return `${seconds}s`;
}

/** Of a number that was answered. */
export const SHOWN_NUMBER = {
  count: (value: number) => number.format(value),
  decimal: (value: number) => number.format(value),
  euros: (value: number) => euros.format(value),
  percent: (value: number) => percent.format(value / 100),
  duration: durationText,
  milliseconds: (value: number) => `${number.format(Math.round(value))} ms`,
} as const;
export type NumberKind = keyof typeof SHOWN_NUMBER;

/** Of an instant that was answered, in UTC; with plain blanks, whatever blanks a browser's `Intl` takes. */
export function shownInstant(instant: string): string {
  return withPlainBlanks(dateTime.format(new Date(instant)));
}

export function withPlainBlanks(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** What stands where there is no number. */
export const NO_NUMBER = '–no number';

/** A change as it stands behind a number. */
export function shownChange(kind: NumberKind, now: number, before: number | null): string {
  if (before === null) return 'new';
  const told = ` before: ${SHOWN_NUMBER[kind](before)}`;
  if (before === 0) return `${now === 0 ? '±0' : 'new'}${told}`;
  const change = (now - before) / before;
  const size = SHOWN_NUMBER.percent(Math.abs(change) * 100);
  if (Math.round(change * 1_000) === 0) return `±${SHOWN_NUMBER.percent(0)}${told}`;
  return `${change > 0 ? '+' : '−'}${size}${told}`;
}

/** What a row of a list is called. */
export function shownName(row: Readonly<Record<string, unknown>>, kind: NameKind): string {
  const [name, code] = [String(row.name), String(row.country_code)];
  const words: Readonly<Record<string, string>> =
    kind === 'channel' ? overview.channels : kind === 'device' ? overview.devices : {};
  if (name === 'Unknown' && kind !== 'place') return name;
  if (kind === 'language') return languages.of(name) ?? name;
  const country = /^[A-Z]{2}$/.test(code) ? countries.of(code) : undefined;
  if (kind === 'country') return country ?? name;
  return kind === 'place' && country ? `${name}, ${country}` : (words[name] ?? name);
}
