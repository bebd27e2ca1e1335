/** The names under which engines return what a plan asks for, shared by compilers and the shape stage. */
export const rowNames = {
  /** Index of the bucket; 0 in rows without buckets. */
  bucket: 'bucket',
  dimension: (name: string) => `d_${name}`,
  /** A count, or an instant in epoch milliseconds. */
  measure: (name: string) => `m_${name}`,
  /** The middle neighbours of a median; equal when the number of values is odd. */
  lower: (name: string) => `m_${name}_lower`,
  upper: (name: string) => `m_${name}_upper`,
  /** A count's sum over all rows before `limit`. */
  total: (name: string) => `t_${name}`,
} as const;
