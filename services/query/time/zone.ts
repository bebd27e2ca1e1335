/** A time zone as two conversions between instants and wall-clock times, exact around changes of its offset. */
import { IANAZone } from 'luxon';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Wall-clock time as milliseconds since 1970-01-01 00:00 on that same clock. */
export type LocalTime = number;

export interface Zone {
  readonly name: string;
  /** Milliseconds to add to an instant to get its wall-clock time. */
  offset(instant: number): number;
  localOf(instant: number): LocalTime;
  /** The earliest instant of a wall-clock time; for one that a change of offset skipped, the instant of the change. */
  instantOf(local: LocalTime): number;
  /** The first instant in (after, until] with another offset than `after`, or null when `until` has the same offset. */
  changeBetween(after: number, until: number): number | null;
}

/** Whether `name` is a time zone of the IANA database. */
export function isZoneName(name: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name) && IANAZone.isValidZone(name);
}

/** The zone `name`, which must satisfy {@link isZoneName}. It caches offsets: make one per request. */
export function createZone(name: string): Zone {
  const iana = IANAZone.create(name);
  const isUtc = /^(etc\/)?(utc|zulu|universal|uct)$/i.test(name);
  /** Offsets at the starts of UTC days, by day number: querying the database takes long. */
  const known = new Map<number, number>();

  function offset(instant: number): number {
    const day = Math.floor(instant / DAY_MS);
    const atStart = offsetAtStart(day);
    // No zone changes its offset and reverts it within days.
    if (instant === day * DAY_MS || atStart === offsetAtStart(day + 1)) return atStart;
    return ask(instant);
  }

  function offsetAtStart(day: number): number {
    if (isUtc) return 0;
    const remembered = known.get(day);
    if (remembered !== undefined) return remembered;
    const found = ask(day * DAY_MS);
    known.set(day, found);
    return found;
  }

  function ask(instant: number): number {
    return Math.round(iana.offset(instant) * 60_000);
  }

  function changeBetween(after: number, until: number): number | null {
    const before = offset(after);
    if (offset(until) === before) return null;
    let same = after;
    let changed = until;
    while (changed - same > 1) {
      const middle = Math.floor((same + changed) / 2);
      if (offset(middle) === before) same = middle;
      else changed = middle;
    }
    return changed;
  }

  function instantOf(local: LocalTime): number {
    const day = Math.floor(local / DAY_MS);
    const around = offsetAtStart(day - 1);
    if (around === offsetAtStart(day + 2)) return local - around;
    const dayBefore = offset(local - DAY_MS);
    const dayAfter = offset(local + DAY_MS);
    const candidates = [local - dayBefore, local - dayAfter].sort((a, b) => a - b);
    const [first = local, last = local] = candidates;
    if (first + offset(first) === local) return first;
    if (last + offset(last) === local) return last;
    return changeBetween(first, last) ?? last;
  }

  return { name, offset, localOf: (instant) => instant + offset(instant), instantOf, changeBetween };
}
