/** The index of an instant's bucket as SQL: a division per stretch of equally wide buckets, found by halving. */
import type { Bucket } from '../time/buckets.ts';

/** Buckets of one width in a row: those from `index` on start at `from` and every `width` milliseconds after it. */
interface Stretch {
  readonly index: number;
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

/** An expression over the column `ms` (epoch milliseconds) for events within the buckets; 0 when there are none. */
export function bucketIndexSql(buckets: readonly Bucket[]): string {
  const stretches = stretchesOf(buckets);
  return stretches.length === 0 ? '0' : choose(stretches);
}

function stretchesOf(buckets: readonly Bucket[]): Stretch[] {
  const stretches: Stretch[] = [];
  buckets.forEach(({ from, to }, index) => {
    const last = stretches.at(-1);
    const width = to - from;
    if (last && last.width === width) stretches[stretches.length - 1] = { ...last, to };
    else stretches.push({ index, from, to, width });
  });
  return stretches;
}

/** A balanced tree of comparisons, so that many changes of width stay cheap per event. */
function choose(stretches: readonly Stretch[]): string {
  const middle = Math.floor(stretches.length / 2);
  const pivot = stretches[middle];
  if (!pivot) return '0';
  if (stretches.length === 1) return `(${pivot.index} + (ms - ${pivot.from}) // ${pivot.width})`;
  const before = choose(stretches.slice(0, middle));
  const after = choose(stretches.slice(middle));
  return `CASE WHEN ms < ${pivot.from} THEN ${before} ELSE ${after} END`;
}
