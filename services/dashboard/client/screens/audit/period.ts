/** The days that the audit is limited to, as the API takes them: instants, by the calendar of the organization's time zone. */
import { endOfDay } from '../../texts/days.ts';

export interface Period {
  /** The first instant that is of it. */
  readonly from?: string;
  /** The first instant after it. */
  readonly to?: string;
}

interface Days {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const DAY_MS = 86_400_000;
/** Nothing was recorded before; a year that is still being typed lies before it, too. */
const FIRST_YEAR = '2000';

/** A day that is none, or still being typed, limits nothing; two days in the wrong order are taken in the right one. */
export function periodOf({ from, to }: Days, zone: string): Period {
  const [first, last] = [dayOf(from), dayOf(to)];
  const isTurned = first !== undefined && last !== undefined && first > last;
  return {
    from: startOf(isTurned ? last : first, zone),
    to: endOf(isTurned ? first : last, zone),
  };
}

function dayOf(text: string | undefined): string | undefined {
  if (text === undefined || text < FIRST_YEAR || endOfDay(text, 'UTC') === null) return undefined;
  return text;
}

/** Where the day before ends. */
function startOf(day: string | undefined, zone: string): string | undefined {
  return day && endOf(new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10), zone);
}

function endOf(day: string | undefined, zone: string): string | undefined {
  const last = day === undefined ? null : endOfDay(day, zone);
  return last === null ? undefined : new Date(last + 1_000).toISOString();
}
