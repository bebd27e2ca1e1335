/** What a single row of a dataset says, each column by its name. */
import { Fragment } from 'preact';
import type { DatasetRow } from '../website/batch.ts';
import { cellText } from './cell-text.ts';
import type { Listing } from './listing.ts';
import type { DrawCell } from './listing-table.tsx';

interface RowFactsProps {
  readonly row: DatasetRow;
  readonly columns: Listing['columns'];
  /** Titles of the columns by their keys. */
  readonly titles: Readonly<Record<string, string>>;
  /** Draws values by the keys of their columns, such as a link to what the value is. */
  readonly cells?: Readonly<Record<string, DrawCell>>;
}

export function RowFacts({ row, columns, titles, cells = {} }: RowFactsProps) {
  return (
    <dl class="facts">
      {columns.map((column) => {
        const text = cellText(row, column);
        const usual = <bdi>{text || '–'}</bdi>;
        return (
          <Fragment key={column.key}>
            <dt>{titles[column.key]}</dt>
            <dd>{cells[column.key]?.(row, text, usual) ?? usual}</dd>
          </Fragment>
        );
      })}
    </dl>
  );
}
