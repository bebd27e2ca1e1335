/** Why an overview has no numbers: no event ever, none since the website was made, or none in the range. */
import { dayIn } from '../../website/calendar.ts';
import { daysOf, type Range } from '../../website/range.ts';

/**
 * `never`: the API was asked about all time, and there was none. `since-made`: the range holds the website's whole life; only events
 * imported with earlier times could lie outside. `in-range`: more is not known. `elsewhere`: there are some outside the range.
 */
export type Emptiness = 'never' | 'since-made' | 'in-range' | 'elsewhere';

interface Known {
  readonly range: Range;
  readonly timezone: string;
  /** The date in that zone. */
  readonly today: string;
  /** When the website was made; undefined when that is not known. */
  readonly createdAt: string | undefined;
  /** Events of all time; undefined when that was not asked, or not answered. */
  readonly ever: number | undefined;
}

export function emptinessOf({ range, timezone, today, createdAt, ever }: Known): Emptiness {
  if (ever !== undefined) return ever === 0 ? 'never' : 'elsewhere';
  if ('preset' in range && range.preset === 'all') return 'never';
  if (createdAt === undefined) return 'in-range';
  const days = daysOf(range, today);
  // A range between instants is one that somebody zoomed into.
  const holdsAll =
    days !== undefined && days.first <= dayIn(timezone, Date.parse(createdAt)) && days.last >= today;
  return holdsAll ? 'since-made' : 'in-range';
}
