/** The period that a range is compared with, by the names that a request has for both. */
import { type CompareWith, comparisonOf, namedRange } from '../../../services/query/time/comparison.ts';
import { createZone, DAY_MS } from '../../../services/query/time/zone.ts';

/** When every range of a test is over. */
export const LONG_AFTER = Date.parse('2030-01-01');

/** The period of days, both inclusive, or of instants, as a request would name it. */
export function periodOf(
  zoneName: string,
  [start, end]: readonly [string, string],
  period: 'previous' | 'year' | readonly [string, string],
  { align = 'date', now = LONG_AFTER }: { align?: CompareWith['align']; now?: number } = {},
) {
  const zone = createZone(zoneName);
  const rangeOf = ([first, last]: readonly [string, string]) => ({
    from: first.includes('T') ? Date.parse(first) : zone.instantOf(Date.parse(first)),
    to: last.includes('T') ? Date.parse(last) : zone.instantOf(Date.parse(last) + DAY_MS),
  });
  const compared = typeof period === 'string' ? period : rangeOf(period);
  const { range } = comparisonOf(rangeOf([start, end]), { period: compared, align }, zone, now);
  const named = namedRange(range, zone);
  return [named.startDate, named.endDate];
}
