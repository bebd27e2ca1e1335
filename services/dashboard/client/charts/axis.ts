/** Where the lines and labels of a chart's axes stand: at values that people count in. */
/** What the numbers of an axis are: counts, percent of 100, seconds, or any numbers. */
export type AxisKind = 'count' | 'percent' | 'duration' | 'decimal';

/** Steps of an axis of seconds: of minutes and hours, which tens do not fit. */
const SECONDS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
];

/** Values of the horizontal lines from 0, about `count` of them, the last at or above `max`. */
export function valueTicks(max: number, kind: AxisKind, count = 4): number[] {
  if (kind === 'duration') {
    const step = SECONDS.find((each) => max / each <= count) ?? Math.ceil(max / count / 86_400) * 86_400;
    return multiples(step, max);
  }
  const lines = tens(kind === 'decimal' ? max || 1 : Math.max(max, 1), count);
  if (kind === 'decimal') return lines;
  // Nobody is half a visitor.
  return kind === 'count' ? lines.filter(Number.isInteger) : lines.filter((value) => value <= 100);
}

/** Multiples of 1, 2 or 5 by a power of ten, of which about `count` reach `max`. */
function tens(max: number, count: number): number[] {
  const step = stepOf(max, count);
  const end = exact(Math.ceil(exact(max / step)) * step);
  const wider = stepOf(end, count);
  return wider === step ? multiples(step, end) : tens(end, count);
}

/** The 1, 2 or 5 by a power of ten that comes closest, by its ratio, to a `count`-th. */
function stepOf(max: number, count: number): number {
  const power = 10 ** Math.floor(Math.log10(max / count));
  const rest = max / count / power;
  return power * (rest >= Math.sqrt(50) ? 10 : rest >= Math.sqrt(10) ? 5 : rest >= Math.SQRT2 ? 2 : 1);
}

function multiples(step: number, max: number): number[] {
  const lines = Math.max(1, Math.ceil(exact(max / step)));
  return Array.from({ length: lines + 1 }, (_, index) => exact(index * step));
}

/** As people count: three times 0.1 is 0.3. */
const exact = (value: number): number => Number(value.toPrecision(12));

/** Steps between labels of buckets: a day of hours, a week of days, a year of months. */
const STEPS = {
  minute: [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360],
  hourly: [1, 2, 3, 4, 6, 12, 24, 48, 72, 120, 168, 240, 360],
  daily: [1, 2, 7, 14, 28, 56, 91, 182, 364, 728, 1_456],
  weekly: [1, 2, 4, 8, 13, 26, 52, 104, 208],
  monthly: [1, 2, 3, 4, 6, 12, 24, 48],
} as const;

/** As many hours are labelled by the clock; more of them by their day. */
export const CLOCK_HOURS = 48;

/** Which of `length` buckets carry a label when `room` of them can stand side by side. */
export function labelledBuckets(length: number, room: number, granularity: keyof typeof STEPS): number[] {
  const most = Math.max(1, room);
  // Beyond two days, hours are labelled by their day: once each.
  const least = granularity === 'hourly' && length > CLOCK_HOURS ? 24 : 1;
  const step =
    STEPS[granularity].find((each) => each >= least && length / each <= most) ?? Math.ceil(length / most);
  const last = length - 1;
  return Array.from({ length: Math.ceil(length / step) }, (_, index) => index * step).filter(
    // The first label must not run into the next, nor the last out of the chart.
    (index) => index <= last,
  );
}
