/** The web vitals that the screen shows, and how values of them are rated: by what web.dev publishes, as the API rates them. */
import type { ColumnKind } from '../../drill/listing.ts';

export const RATINGS = ['good', 'fair', 'poor'] as const;
export type Rating = (typeof RATINGS)[number];

export interface Vital {
  readonly name: 'LCP' | 'INP' | 'CLS' | 'FCP' | 'TTFB';
  readonly kind: ColumnKind;
  /** Up to which a value is good, and up to which it is fair. */
  readonly upTo: readonly [good: number, fair: number];
}

/** The first is shown over time unless the address names another one. */
export const VITALS: readonly [Vital, ...Vital[]] = [
  { name: 'LCP', kind: 'milliseconds', upTo: [2_500, 4_000] },
  { name: 'INP', kind: 'milliseconds', upTo: [200, 500] },
  { name: 'CLS', kind: 'decimal', upTo: [0.1, 0.25] },
  { name: 'FCP', kind: 'milliseconds', upTo: [1_800, 3_000] },
  { name: 'TTFB', kind: 'milliseconds', upTo: [800, 1_800] },
];

export function vitalOf(name: string | undefined): Vital {
  return VITALS.find((each) => each.name === name) ?? VITALS[0];
}

export function ratingOf({ upTo: [good, fair] }: Vital, value: number): Rating {
  if (value <= good) return 'good';
  return value <= fair ? 'fair' : 'poor';
}
