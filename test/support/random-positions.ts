/** Positions of few writers and low numbers, so that property tests meet every border; and every stamp among them. */
import fc from 'fast-check';
import type { Positions, Stamp } from '../../services/shared/storage/columns/positions.ts';

const HIGHEST = 6;

export const POSITIONS: fc.Arbitrary<Positions> = fc.record({
  floor: fc.nat(HIGHEST),
  sequences: fc
    .array(fc.tuple(fc.integer({ min: 1, max: HIGHEST }), fc.nat(4)))
    .map((entries) => new Map(entries)),
});

/** Also one of a writer, and one of a group, that no such positions name. */
export const STAMPS: readonly (Stamp & { readonly writer: number; readonly sequence: number })[] = Array.from(
  { length: (HIGHEST + 1) * 5 },
  (_, i) => ({ writer: 1 + Math.floor(i / 5), sequence: 1 + (i % 5) }),
);
