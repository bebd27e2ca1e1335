/** Days and clock times of a time zone as texts (`2027-01-31`, `2027-01-31T14:30`), and the instants that they stand for. */

/** The day of an instant in a time zone, as `2027-01-31`. */
export function dayOf(instant: number, zone: string): string {
  return clockOf(instant, zone).slice(0, 10);
}

/** Day and time of an instant on the clocks of a time zone, to the minute. */
export function clockOf(instant: number, zone: string): string {
  return new Date(instant + offsetAt(instant, zone)).toISOString().slice(0, 16);
}

/** The last second of a day in a time zone, in milliseconds since 1970; null when the text is no day. */
export function endOfDay(date: string, zone: string): number | null {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) ? instantAt(`${date}T23:59:59`, zone) : null;
}

/** When the clocks of a time zone show a day and a time, in milliseconds since 1970; null when the text is none. */
export function instantAt(clock: string, zone: string): number | null {
  const wanted = Date.parse(`${clock}Z`);
  if (Number.isNaN(wanted)) return null;
  // The offset at the instant itself, which is known only after the first guess.
  const guess = wanted - offsetAt(wanted, zone);
  return wanted - offsetAt(guess, zone);
}

/** How far the clocks of a time zone are before UTC at an instant, in milliseconds. */
function offsetAt(instant: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(new Date(instant));
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return shown - Math.floor(instant / 1000) * 1000;
}
