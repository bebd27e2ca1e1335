/** The names under which the SQL returns the parts of a plan, shared by the compiler and the stages that read its rows. */
export const rowNames = {
  /** Index of the bucket; 0 in rows without buckets. */
  bucket: 'bucket',
  /** The same of one of several series that are read together. */
  bucketOf: (series: number) => `bucket_${series}`,
  /** Which of several lists or series a row belongs to; see {@link markOfList}. */
  list: 'list',
  /** The place of a row in its list, from 1. */
  place: 'place',
  /** Index of the band. */
  band: 'band',
  dimension: (name: string) => `d_${name}`,
  /** The text of a dimension before another one is shown in its place, in lists that are compared. */
  key: (name: string) => `k_${name}`,
  /** A count, a text, a number, or an instant in epoch milliseconds. */
  measure: (name: string) => `m_${name}`,
  /** The neighbours of a quantile; equal when it falls on a value. */
  lower: (name: string) => `m_${name}_lower`,
  upper: (name: string) => `m_${name}_upper`,
  /** How many values a quantile is computed from. */
  values: (name: string) => `m_${name}_values`,
  /** A measure over all filtered events. */
  total: (name: string) => `t_${name}`,
} as const;

/** The column with what a row is grouped by. */
export function keyColumn({ name, shown }: { readonly name: string; readonly shown?: object }): string {
  return shown ? rowNames.key(name) : rowNames.dimension(name);
}

/**
 * The mark in the rows of the list or series at `index`, by the keys of all that are in one statement: a bit for each key, the
 * first one highest, which is 1 where it is of another one.
 */
export function markOfList(
  lists: readonly { readonly dimensions: readonly string[] }[],
  index: number,
): number {
  const bits = lists.flatMap(({ dimensions }, at) => dimensions.map(() => (at === index ? '0' : '1')));
  return Number.parseInt(bits.join(''), 2);
}
