/** The index of an instant's bucket as SQL: a division where buckets are equally wide, otherwise one look into a list. */
import type { SqlValue } from '../../shared/ports/event-store.ts';
import type { Bucket } from '../time/buckets.ts';

/** Buckets of one width in a row: those from `index` on start at `from` and every `width` milliseconds after it. */
interface Stretch {
  readonly index: number;
  readonly from: number;
  readonly width: number;
}

/** More stretches than this cost the engine more as comparisons than as a list. */
const MAX_COMPARED_STRETCHES = 4;

/** A list is used while it has at most so many times as many slots as there are buckets. */
const MAX_SLOTS_PER_BUCKET = 4;

/**
 * An expression over the column `ms` (epoch milliseconds) for events within the buckets; 0 when there are none. `bind`
 * takes a parameter in and gives its placeholder.
 */
export function bucketIndexSql(buckets: readonly Bucket[], bind: (value: SqlValue) => string): string {
  const stretches = stretchesOf(buckets);
  const lookup = stretches.length > MAX_COMPARED_STRETCHES ? lookupSql(buckets, bind) : null;
  return lookup ?? choose(stretches);
}

function stretchesOf(buckets: readonly Bucket[]): Stretch[] {
  const stretches: Stretch[] = [];
  buckets.forEach(({ from, to }, index) => {
    const width = to - from;
    if (stretches.at(-1)?.width !== width) stretches.push({ index, from, width });
  });
  return stretches;
}

/**
 * The range in slots no wider than any bucket but the first and last, so that at most one bucket starts within a slot:
 * the bucket of the slot's first instant, or the next one from that one's start on. Null when the slots would be too many.
 */
function lookupSql(buckets: readonly Bucket[], bind: (value: SqlValue) => string): string | null {
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
  const at = `(ms - ${first.from}) // ${width} + 1`;
  const [index$, end$] = [`${bind(indices)}[${at}]`, `${bind(ends)}[${at}]`];
  return `(${index$} + CASE WHEN ms >= ${end$} THEN 1 ELSE 0 END)`;
}

/** A balanced tree of comparisons, with a division in each leaf. */
function choose(stretches: readonly Stretch[]): string {
  const middle = Math.floor(stretches.length / 2);
  const pivot = stretches[middle];
  if (!pivot) return '0';
  if (stretches.length === 1) return `(${pivot.index} + (ms - ${pivot.from}) // ${pivot.width})`;
  const before = choose(stretches.slice(0, middle));
  const after = choose(stretches.slice(middle));
  return `CASE WHEN ms < ${pivot.from} THEN ${before} ELSE ${after} END`;
}
