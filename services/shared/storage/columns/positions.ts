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
export function isWithin({ writer, sequence }: Stamp, { sequences, floor }: Positions): boolean {
  if (writer === null || sequence === null) return true;
  const last = sequences.get(writer);
  return last === undefined ? writer <= floor : sequence <= last;
}

/** The highest writer that the positions know. */
export function highestWriter({ sequences, floor }: Positions): number {
  return Math.max(floor, ...sequences.keys());
}
