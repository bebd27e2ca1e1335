/** Reads the tables of guides, so that tests can hold them to the code. */
import { expect } from 'chai';

/** The rows of the table whose head starts with these cells; a cell that is one piece of code comes without its marks. */
export function tableIn(text: string, ...head: string[]): string[][] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${head.join(' | ')} |`));
  expect(start, `a table with ${head.join(', ')}`).to.not.equal(-1);
  const rows: string[][] = [];
  for (const line of lines.slice(start + 2)) {
    if (!line.startsWith('|')) break;
    const cells = line.slice(1, -1).split('|');
    rows.push(cells.map((cell) => cell.trim().replace(/^`([^`]*)`$/, '$1')));
  }
  return rows;
}
