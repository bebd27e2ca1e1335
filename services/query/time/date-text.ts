/** Parses the dates and date-times of requests: which texts are dates, and which of them exist. */
import { DAY_MS, type LocalTime } from './zone.ts';

/** A date of a request: a whole day, a wall-clock time, an instant, or why it is invalid. */
export type DateText =
  | { readonly kind: 'day'; readonly local: LocalTime }
  | { readonly kind: 'local'; readonly local: LocalTime }
  | { readonly kind: 'instant'; readonly instant: number }
  | { readonly kind: 'malformed' | 'impossible'; readonly message: string };

const SHAPE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** Parses `YYYY-MM-DD` and ISO 8601 date-times with or without offset; digits below milliseconds are cut off. */
export function readDateText(text: string): DateText {
  const match = SHAPE.exec(text);
  if (!match) {
    return {
      kind: 'malformed',
      message: `${shown(text)} is no date: write YYYY-MM-DD, or a date-time such as 2025-01-31T12:00:00Z.`,
    };
  }
  const [, year = '', month = '', day = '', hour, minute = '00', second = '00', fraction = '', offset] =
    match;
  const local = midnight(Number(year), Number(month), Number(day));
  if (local === null) return impossible(text);
  if (hour === undefined) return { kind: 'day', local };

  const h = Number(hour);
  const m = Number(minute);
  const s = Number(second);
  if (h > 23 || m > 59 || s > 59) return impossible(text);
  const time = local + ((h * 60 + m) * 60 + s) * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3));
  if (offset === undefined) return { kind: 'local', local: time };
  const shift = offsetMinutes(offset);
  if (shift === null) return impossible(text);
  return { kind: 'instant', instant: time - shift * 60_000 };
}

function midnight(year: number, month: number, day: number): LocalTime | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1;
  return exists ? Math.floor(date.getTime() / DAY_MS) * DAY_MS : null;
}

function offsetMinutes(text: string): number | null {
  if (text.toUpperCase() === 'Z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', '') || '0');
  if (hours > 18 || minutes > 59) return null;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

function impossible(text: string): DateText {
  return { kind: 'impossible', message: `${shown(text)} does not exist.` };
}

function shown(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text);
}
