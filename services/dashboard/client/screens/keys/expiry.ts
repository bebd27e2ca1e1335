/** When a key ends, as people choose it: never, after some days, or at the end of a day in the organization's time zone. */
import { dayOf, endOfDay } from '../../texts/days.ts';

const DAY = 86_400_000;
/** Days from now that are offered. */
const SPANS = { '30': 30, '90': 90, '365': 365 } as const;

export type ExpiryChoice = 'never' | keyof typeof SPANS | 'date';

export interface Expiry {
  readonly choice: ExpiryChoice;
  /** The last day, as `2027-01-31`; only read with the choice `date`. */
  readonly date: string;
}

export const NEVER: Expiry = { choice: 'never', date: '' };

/** The choice that an existing key shows. */
export function expiryOf(expiresAt: string | null, zone: string): Expiry {
  return expiresAt === null ? NEVER : { choice: 'date', date: dayOf(Date.parse(expiresAt), zone) };
}

/** What the API is told: an instant, null for never; undefined when the date is none, or over. */
export function instantOf({ choice, date }: Expiry, zone: string, now: number): string | null | undefined {
  if (choice === 'never') return null;
  if (choice !== 'date') return new Date(now + SPANS[choice] * DAY).toISOString();
  const end = endOfDay(date, zone);
  return end === null || end <= now ? undefined : new Date(end).toISOString();
}
