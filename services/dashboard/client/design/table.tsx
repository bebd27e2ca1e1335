/** A table of rows with a caption and headings that sort where the list can. Where the page is narrow it scrolls in itself, or stacks each row. */
import type { ComponentChildren } from 'preact';
import { texts } from '../texts/texts.ts';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** The name by which the API sorts; absent: this column does not sort. */
  readonly sort?: string;
}

interface TableProps<Row> {
  /** Said by readers of the screen; the page's own heading stands above. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  /** The column that the list is sorted by, `-` before it when the greatest is first. */
  readonly sort?: string;
  readonly onSort?: (sort: string) => void;
  /** Where the page is narrow, each row becomes a block, a line for each of its cells: for rows that are read one by one. */
  readonly stacks?: boolean;
}

export function Table<Row>({ caption, columns, rows, rowKey, sort, onSort, stacks }: TableProps<Row>) {
  const direction = (column: Column<Row>) => {
    if (sort === undefined || column.sort === undefined) return undefined;
    if (sort === column.sort) return 'ascending' as const;
    return sort === `-${column.sort}` ? ('descending' as const) : undefined;
  };
  const heading = (column: Column<Row>) => {
    const { sort: name, title } = column;
    if (name === undefined || onSort === undefined) return title;
    const order = direction(column);
    const arrow = order === undefined ? '' : { ascending: ' ↑', descending: ' ↓' }[order];
    return (
      <button
        class="button plain"
        type="button"
        aria-label={texts.value.words.sortBy(title)}
        onClick={() => onSort(sort === `-${name}` ? name : `-${name}`)}
      >
        {title}
        {arrow}
      </button>
    );
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls takes the focus, so that the arrow keys move it
    <section class={stacks ? 'table stacks' : 'table'} aria-label={caption} tabIndex={0}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                class={column.isNumber ? 'number' : ''}
                aria-sort={direction(column)}
              >
                {heading(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.key} scope="row">
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.key} class={column.isNumber ? 'number' : ''} data-title={column.title}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
