/** The bound of a cache by its entries, without room for all of them from the start: `max` of lru-cache reserves it, 2.4 MB for 100,000. */

/** Options by which a cache keeps `entries` of them, those used last; its room grows with them. */
export function atMost(entries: number): {
  readonly maxSize: number;
  readonly sizeCalculation: () => number;
} {
  return { maxSize: entries, sizeCalculation: one };
}

function one(): number {
  return 1;
}
