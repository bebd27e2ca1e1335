/** Ratings of web vitals by the thresholds that web.dev publishes: good, in need of improvement (fair), poor. */
import { percent } from './columns.ts';
import type { Column } from './dataset.ts';
import type { Measure, Range } from './measure.ts';

/** Up to the first a value is good, above the second it is poor. Frames per second have no published thresholds. */
export const VITAL_THRESHOLDS: Readonly<Record<string, readonly [good: number, fair: number]>> = {
  LCP: [2_500, 4_000],
  INP: [200, 500],
  CLS: [0.1, 0.25],
  FCP: [1_800, 3_000],
  TTFB: [800, 1_800],
};

function rated(rangeOf: (good: number, fair: number) => Range): Measure {
  const ranges = Object.entries(VITAL_THRESHOLDS).map(([name, [good, fair]]) => [name, rangeOf(good, fair)]);
  return {
    kind: 'count',
    where: { number: 'metric_value', of: 'metric_name', ranges: Object.fromEntries(ranges) },
  };
}

/** How many values are rated at all, and how many as what. */
export const VITAL_RATINGS = {
  rated: rated(() => ({})),
  good: rated((good) => ({ upTo: good })),
  fair: rated((good, fair) => ({ above: good, upTo: fair })),
  poor: rated((_good, fair) => ({ above: fair })),
} as const;

const share = (name: keyof typeof VITAL_RATINGS, what: string): Column =>
  percent(name, `Values that are ${what}, in percent of those with a rating.`, name, 'rated');

/** The shares of the ratings, over {@link VITAL_RATINGS}. */
export const VITAL_SHARES: readonly Column[] = [
  share('good', 'good'),
  share('fair', 'in need of improvement'),
  share('poor', 'poor'),
];
