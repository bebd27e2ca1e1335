/** A number of a row, or that there is none. */
import type { DatasetRow } from '../website/batch.ts';

/**
 * Null: there is no row, no number in it, or nothing in the column `needs`, such as the sessions that a rate is of. `base`: the row that
 * has that column.
 */
export function numberIn(
  row: DatasetRow | undefined,
  key: string,
  needs?: string,
  base: DatasetRow | undefined = row,
): number | null {
  const value = row?.[key];
  return typeof value !== 'number' || (needs !== undefined && base?.[needs] === 0) ? null : value;
}
