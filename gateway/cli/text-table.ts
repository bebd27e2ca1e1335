/** Lays out rows of text in columns for a terminal. */

/** The header and the rows, columns two spaces apart, each ending in a newline. Control characters are shown as "?". */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows].map((row) => row.map((cell) => cell.replace(/\p{Cc}/gu, '?')));
  const widths = header.map((_, column) => Math.max(...lines.map((row) => (row[column] ?? '').length)));
  return lines
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
