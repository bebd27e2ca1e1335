/** Reads the instant of an event: milliseconds since the epoch, or ISO 8601 text. */
import { DateTime } from 'luxon';

/** The earliest instant of an event, inclusive. */
export const EARLIEST_INSTANT = Date.UTC(2000, 0, 1);
/** How far the instant of an event may be ahead of the clock, inclusive, in milliseconds. */
export const FURTHEST_AHEAD_MS = 3_600_000;

/** A date, or a date and a time with or without offset; no clock is further from UTC than 14 hours. */
const ISO_TEXT =
  /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-](?:(?:0\d|1[0-3]):?[0-5]\d|14:?00))?)?$/i;

/** Milliseconds since the epoch, or null if `value` is not an instant; text without offset is UTC. */
export function toInstant(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? Math.floor(value) : null;
  if (typeof value !== 'string' || !ISO_TEXT.test(value)) return null;
  const parsed = DateTime.fromISO(value.replace(' ', 'T'), { zone: 'utc' });
  return parsed.isValid ? parsed.toMillis() : null;
}
