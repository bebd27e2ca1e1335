/** Rows of a dataset as the table of a file, under the API's own names of the columns. */
import type { Cell } from '../exports/csv.ts';
import type { DatasetRow } from '../website/batch.ts';

/** What the rows are compared with stands as `previous_` columns. */
export function tableOf(rows: readonly DatasetRow[]): { header: string[]; rows: Cell[][] } {
  const flat = rows.map(({ previous, ...own }) => {
    const before = Object.entries(Object(previous) as Record<string, Cell>);
    return { ...own, ...Object.fromEntries(before.map(([key, value]) => [`previous_${key}`, value])) };
  });
  const header = [...new Set(flat.flatMap(Object.keys))];
  const cell = (value: unknown): Cell =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : ((value ?? null) as Cell);
  return {
    header,
    rows: flat.map((row) => header.map((key) => cell((row as Readonly<Record<string, unknown>>)[key]))),
  };
}
