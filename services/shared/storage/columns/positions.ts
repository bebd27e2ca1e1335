/**
 * Positions in the arrival of events. Each process that stores events is a writer with a number of its own, and numbers
 * its groups of appends 1, 2, 3…: the stamp of an event is its writer and the sequence number of its group. Writers are
 * numbered in the order in which they began, from 1.
 */

/** The stamp of an event; both null for an event that was stored before stamps were given. */
export interface Stamp {
  readonly writer: number | null;
  readonly sequence: number | null;
}

/** A set of stamps: for each writer, everything up to a sequence number. */
export interface Positions {
  /** Those of a writer in this map that are not above its number. */
  readonly sequences: ReadonlyMap<number, number>;
  /** All of a writer that is not in the map and not above this number. */
  readonly floor: number;
}

export const NO_POSITIONS: Positions = { sequences: new Map(), floor: 0 };

/** Events without a stamp are within any positions. */
export function isWithin({ writer, sequence }: Stamp, positions: Positions): boolean {
  if (writer === null || sequence === null) return true;
  return sequence <= lastOf(writer, positions);
}

/** The highest writer that the positions know. */
export function highestWriter({ sequences, floor }: Positions): number {
  return Math.max(floor, ...sequences.keys());
}

/**
 * What is within `a` or within `b`: of each writer the higher number, and all where one of them has all.
 */
export function union(a: Positions, b: Positions): Positions {
  const sequences = new Map<number, number>();
  for (const writer of new Set([...a.sequences.keys(), ...b.sequences.keys()])) {
    const last = Math.max(lastOf(writer, a), lastOf(writer, b));
    if (last !== Number.POSITIVE_INFINITY) sequences.set(writer, last);
  }
  return { sequences, floor: Math.max(a.floor, b.floor) };
}

/** The highest sequence number of a writer that is within the positions: infinite for all, its opposite for none. */
export function lastOf(writer: number, { sequences, floor }: Positions): number {
  return sequences.get(writer) ?? (writer <= floor ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
}

/** Whether everything within `b` is within `a`. */
export function contains(a: Positions, b: Positions): boolean {
  const both = union(a, b);
  if (both.sequences.size !== a.sequences.size) return false;
  for (const [writer, last] of both.sequences) if (a.sequences.get(writer) !== last) return false;
  // Writers above the floor of `a` that all of `b` includes.
  for (let writer = a.floor + 1; writer <= b.floor; writer++) {
    if (!both.sequences.has(writer)) return false;
  }
  return true;
}
