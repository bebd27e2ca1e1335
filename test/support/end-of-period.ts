/** When a day or a month ends in UTC, by the calendar of the platform. */
import type { Period } from '../../services/shared/ports/counter-store.ts';

export function endOfPeriod(period: Period, atMs: number): number {
  const at = new Date(atMs);
  return period === 'day'
    ? Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1)
    : Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1);
}
