/** Writes rows as CSV (RFC 4180), so that no spreadsheet takes what a visitor sent for a formula. */

export type Cell = string | number | null | undefined;

/** What a spreadsheet would begin to compute, behind blanks and invisible characters, too. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/u;

/** The text of a cell; one that would be a formula begins with an apostrophe. */
export function csvCell(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",;\r\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}
