/** How the index of an instant's bucket is found: by division where buckets are equally wide, else in a list of slots. */
import type { Bucket } from '../time/buckets.ts';

/** Consecutive buckets of one width: those from `index` on start at `from` and every `width` milliseconds after it. */
export interface Stretch {
  readonly index: number;
  readonly from: number;
  readonly width: number;
}

/**
 * The range in slots that are no wider than any bucket but the first and last, so that at most one bucket starts within
 * a slot: an instant belongs to the bucket of the slot's first instant or, from that bucket's end on, to the next one.
 */
export interface Slots {
  readonly from: number;
  readonly width: number;
  /** For each slot, the bucket of its first instant. */
  readonly indices: readonly number[];
  /** For each slot, the end of that bucket. */
  readonly ends: readonly number[];
}

/** With more stretches than this, comparisons cost an engine more than a list. */
const MAX_COMPARED_STRETCHES = 4;

/** A list is used while it has at most this many slots per bucket. */
const MAX_SLOTS_PER_BUCKET = 4;

/** Slots for lookup where the buckets have many widths, else stretches to choose from; no stretch without buckets. */
export function waysToBucket(
  buckets: readonly Bucket[],
): { readonly slots: Slots } | { readonly stretches: readonly Stretch[] } {
  const stretches = stretchesOf(buckets);
  const slots = stretches.length > MAX_COMPARED_STRETCHES ? slotsOf(buckets) : null;
  return slots ? { slots } : { stretches };
}

function stretchesOf(buckets: readonly Bucket[]): Stretch[] {
  const stretches: Stretch[] = [];
  buckets.forEach(({ from, to }, index) => {
    const width = to - from;
    if (stretches.at(-1)?.width !== width) stretches.push({ index, from, width });
  });
  return stretches;
}

/** Null when there would be too many slots. */
function slotsOf(buckets: readonly Bucket[]): Slots | null {
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (!first || !last) return null;
  const width = buckets.slice(1, -1).reduce((least, { from, to }) => Math.min(least, to - from), Infinity);
  const slots = Math.ceil((last.to - first.from) / width);
  if (slots > buckets.length * MAX_SLOTS_PER_BUCKET) return null;
  const indices: number[] = [];
  const ends: number[] = [];
  let index = 0;
  for (let slot = 0; slot < slots; slot++) {
    const from = first.from + slot * width;
    while ((buckets[index]?.to ?? Infinity) <= from) index++;
    indices.push(index);
    ends.push(buckets[index]?.to ?? last.to);
  }
  return { from: first.from, width, indices, ends };
}

/** A balanced tree of comparisons over the stretches, with `inStretch` in each leaf; `none` when there are none. */
export function chooseStretch<E>(
  stretches: readonly Stretch[],
  {
    inStretch,
    split,
    none,
  }: {
    readonly inStretch: (stretch: Stretch) => E;
    readonly split: (pivot: number, before: E, after: E) => E;
    readonly none: E;
  },
): E {
  const middle = Math.floor(stretches.length / 2);
  const pivot = stretches[middle];
  if (!pivot) return none;
  if (stretches.length === 1) return inStretch(pivot);
  const before = chooseStretch(stretches.slice(0, middle), { inStretch, split, none });
  const after = chooseStretch(stretches.slice(middle), { inStretch, split, none });
  return split(pivot.from, before, after);
}
