/** How far the arrivals of a partition are covered when a read of them ended early. */
import { lastOf, type Positions } from '../positions.ts';

/**
 * The positions after a read, by writer and then sequence number, of what is beyond `covered` and within `target`, which
 * contains `covered`: it ended with the whole group of this stamp.
 */
export function coveredUpTo(
  covered: Positions,
  target: Positions,
  last: { readonly writer: number; readonly sequence: number },
): Positions {
  const floor = Math.max(covered.floor, Math.min(target.floor, last.writer - 1));
  const sequences = new Map<number, number>();
  for (const writer of new Set([...covered.sequences.keys(), ...target.sequences.keys(), last.writer])) {
    const upTo =
      writer === last.writer ? last.sequence : lastOf(writer, writer < last.writer ? target : covered);
    if (upTo === Number.POSITIVE_INFINITY) continue;
    if (upTo !== Number.NEGATIVE_INFINITY) sequences.set(writer, upTo);
    // Nothing of it is covered, although the floor is above it.
    else if (writer <= floor) sequences.set(writer, 0);
  }
  return { sequences, floor };
}
