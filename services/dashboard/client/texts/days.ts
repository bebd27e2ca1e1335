/** Days of a time zone as texts (`2027-01-31`), and the instants at which they end. */

/** The day of an instant in a time zone, as `2027-01-31`. */
export function dayOf(instant: number, zone: string): string {
  return new Date(instant + offsetAt(instant, zone)).toISOString().slice(0, 10);
}

/** The last second of a day in a time zone, in milliseconds since 1970; null when the text is no day. */
export function endOfDay(date: string, zone: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return null;
  const wanted = Date.parse(`${date}T23:59:59Z`);
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
