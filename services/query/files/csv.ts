/** Writes rows as CSV (RFC 4180), so that no spreadsheet takes what a visitor sent for a formula. */
import type { WireRow } from '../stages/shape.ts';

/** What a spreadsheet would begin to compute, behind blanks and invisible characters, too. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/u;

/** The text of a cell: nothing for null, objects as JSON; a text that would be a formula begins with an apostrophe. */
export function csvCell(value: WireRow[string] | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const own = typeof value === 'string' ? value : JSON.stringify(value);
  const text = FORMULA.test(own) ? `'${own}` : own;
  return /[",;\r\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line with its end. */
export function csvLine(cells: readonly (WireRow[string] | undefined)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}
