/** The stamps between two positions as ranges, each of which is one scan of the index of arrivals. */
import { lastOf, type Positions } from '../../columns/positions.ts';

/** Groups of one writer: above one number, up to another. */
export interface GroupRange {
  readonly writer: number;
  readonly above: number;
  readonly upTo: number;
}

/** All groups of the writers between two numbers, both excluded. */
export interface WriterRange {
  readonly above: number;
  readonly below: number;
}

export type ArrivalRange = GroupRange | WriterRange;

export interface ArrivalBounds {
  /** Only what is not within these. */
  readonly beyond: Positions;
  /** Only what is within these; absent: without such a bound. */
  readonly within?: Positions | undefined;
  /** Nothing of these writers. */
  readonly without?: ReadonlySet<number> | undefined;
}

/** Disjoint, by writer ascending; bounds may be infinite. Empty: nothing can lie between the positions. */
export function arrivalRanges({ beyond, within, without = new Set() }: ArrivalBounds): ArrivalRange[] {
  const upper = within ?? { sequences: new Map(), floor: Number.POSITIVE_INFINITY };
  const named = [...new Set([...beyond.sequences.keys(), ...upper.sequences.keys(), ...without])];
  const ranges: ArrivalRange[] = [];
  /** Up to here every writer is dealt with. */
  let done = beyond.floor;
  const coverUpTo = (below: number) => {
    const range = { above: done, below: Math.min(below, upper.floor + 1) };
    if (range.above + 1 < range.below) ranges.push(range);
  };
  for (const writer of named.sort((a, b) => a - b)) {
    coverUpTo(writer);
    done = Math.max(done, writer);
    const range = { writer, above: lastOf(writer, beyond), upTo: lastOf(writer, upper) };
    if (!without.has(writer) && range.above < range.upTo) ranges.push(range);
  }
  coverUpTo(Number.POSITIVE_INFINITY);
  return ranges;
}
