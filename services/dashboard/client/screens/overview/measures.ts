/** The measures of a website: where the API tells them, and how they are written. */
import type { AxisKind } from '../../charts/axis.ts';

export interface Measure {
  /** Name in the address and in the texts. */
  readonly key: 'visitors' | 'sessions' | 'pageviews' | 'bounce' | 'duration' | 'depth';
  /** Column of `summary` and `summary_metrics`. */
  readonly column:
    | 'visitors'
    | 'sessions'
    | 'pageviews'
    | 'bounce_rate'
    | 'median_session_duration'
    | 'pages_per_session';
  readonly kind: AxisKind;
}

export const MEASURES: readonly Measure[] = [
  { key: 'visitors', column: 'visitors', kind: 'count' },
  { key: 'sessions', column: 'sessions', kind: 'count' },
  { key: 'pageviews', column: 'pageviews', kind: 'count' },
  { key: 'bounce', column: 'bounce_rate', kind: 'percent' },
  { key: 'duration', column: 'median_session_duration', kind: 'duration' },
  { key: 'depth', column: 'pages_per_session', kind: 'decimal' },
];
const [FIRST] = MEASURES as [Measure];

/** The measure of an address, else the first. */
export function measureOf(key: string | undefined): Measure {
  return MEASURES.find((each) => each.key === key) ?? FIRST;
}
