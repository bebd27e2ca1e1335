/**
 * Buckets of a range by what a wall clock shows. It shares no code with the service: days and hours come from Intl, so
 * that a fault of the service's own calendar cannot hide.
 */

/** Days on the wall clock of a zone, both inclusive. */
export interface NaiveRange {
  readonly zone: string;
  readonly startDate: string;
  readonly endDate: string;
}

const MINUTE_MS = 60_000;
const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;

/** What a wall clock in `zone` shows. */
export function createWallClock(
  zone: string,
): (instant: number) => { date: string; hour: string; minute: string } {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (instant) => {
    const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    const date = `${part.year}-${part.month}-${part.day}`;
    return { date, hour: part.hour ?? '', minute: part.minute ?? '' };
  };
}

/** A bucket as its label, its start when it is a minute or an hour, and which instants it holds. */
export interface NaiveBucket {
  readonly label: string;
  readonly start?: number;
  holds(instant: number): boolean;
}

/** Walks the range in quarters of an hour; every change of what the clock shows, or of its offset, starts a bucket. */
function hoursOf(
  { startDate, endDate }: NaiveRange,
  clock: ReturnType<typeof createWallClock>,
): NaiveBucket[] {
  const starts: { label: string; start: number }[] = [];
  let shown = '';
  let quartersShown = 0;
  let end = 0;
  for (let at = Date.parse(startDate) - DAY_MS; at < Date.parse(endDate) + 2 * DAY_MS; at += QUARTER_MS) {
    const { date, hour } = clock(at);
    if (date < startDate || date > endDate) continue;
    end = at + QUARTER_MS;
    const label = `${date} ${hour}:00:00`;
    const minute = minuteOf(at, clock);
    if (label !== shown || minute < quartersShown) starts.push({ label, start: at });
    shown = label;
    quartersShown = minute;
  }
  return starts.map(({ label, start }, index) => {
    const until = starts[index + 1]?.start ?? end;
    return { label, start, holds: (instant) => instant >= start && instant < until };
  });
}

/** Quarters since the clock last showed another hour, so that an hour that starts again is seen. */
function minuteOf(at: number, clock: ReturnType<typeof createWallClock>): number {
  const { hour } = clock(at);
  let quarters = 0;
  while (quarters < 4 && clock(at - (quarters + 1) * QUARTER_MS).hour === hour) quarters += 1;
  return quarters % 4;
}

/** Every minute that passes, also one that the clock shows again: offsets are whole minutes. */
function minutesOf({ zone, startDate, endDate }: NaiveRange): NaiveBucket[] {
  const clock = createWallClock(zone);
  const buckets: NaiveBucket[] = [];
  for (let at = Date.parse(startDate) - DAY_MS; at < Date.parse(endDate) + 2 * DAY_MS; at += MINUTE_MS) {
    const { date, hour, minute } = clock(at);
    if (date < startDate || date > endDate) continue;
    const holds = (instant: number) => instant >= at && instant < at + MINUTE_MS;
    buckets.push({ label: `${date} ${hour}:${minute}:00`, start: at, holds });
  }
  return buckets;
}

function daysOf({ zone, startDate, endDate }: NaiveRange, labelOf: (day: string) => string): NaiveBucket[] {
  const clock = createWallClock(zone);
  const labels = new Set<string>();
  for (let day = Date.parse(startDate); day <= Date.parse(endDate); day += DAY_MS) {
    labels.add(labelOf(new Date(day).toISOString().slice(0, 10)));
  }
  return [...labels].map((label) => ({ label, holds: (instant) => labelOf(clock(instant).date) === label }));
}

function sundayOf(day: string): string {
  const instant = Date.parse(day);
  return new Date(instant - new Date(instant).getUTCDay() * DAY_MS).toISOString().slice(0, 10);
}

/** The buckets of a range in one granularity. */
export function naiveBuckets(range: NaiveRange, granularity: string): NaiveBucket[] {
  switch (granularity) {
    case 'minute':
      return minutesOf(range);
    case 'hourly':
      return hoursOf(range, createWallClock(range.zone));
    case 'daily':
      return daysOf(range, (day) => day);
    case 'weekly':
      return daysOf(range, sundayOf);
    default:
      return daysOf(range, (day) => `${day.slice(0, 7)}-01`);
  }
}
