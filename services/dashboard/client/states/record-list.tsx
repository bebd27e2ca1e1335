/** A list of records of the API: sorted, page by page, as CSV and as a command. */
import type { ComponentChildren } from 'preact';
import { useAddress } from '../address.ts';
import { call } from '../api/call.ts';
import { type Read, useRead } from '../api/use-read.ts';
import { Pager } from '../design/pager.tsx';
import { type Column, Table } from '../design/table.tsx';
import type { Cell } from '../exports/csv.ts';
import { ExportActs } from '../exports/export-acts.tsx';
import { type Page, wholeList } from '../exports/whole-list.ts';
import { texts } from '../texts/texts.ts';
import { Empty } from './empty.tsx';
import { Loaded } from './loaded.tsx';

const PAGE = 50;
/** The most that the API answers at once, for a file. */
const LARGEST_PAGE = 100;

interface Records<Row> {
  readonly read: Read<Page<Row>>;
  readonly query: Readonly<Record<string, string | number | undefined>>;
}

/**
 * Reads the page that the address names. `columns`: those that sort, the first one unless the address says otherwise. `narrowing`: parameters
 * that keep a part of the records. `isKept`: later screens need not ask for it.
 */
export function useRecords<Row>(
  path: string,
  columns: readonly string[],
  narrowing: Readonly<Record<string, string | undefined>> = {},
  isKept = false,
): Records<Row> {
  const { parameters } = useAddress();
  const { search, cursor } = parameters;
  const sorts = columns.flatMap((column) => [column, `-${column}`]);
  const sort = sorts.find((each) => each === parameters.sort) ?? columns[0];
  const query = { limit: PAGE, sort, search: search?.slice(0, 200) || undefined, ...narrowing, cursor };
  return { read: useRead<Page<Row>>({ path, query }, { isKept }), query };
}

/** What is made of parts stands in a cell as JSON. */
const cellOf = (value: unknown): Cell =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Cell);

interface RecordListProps<Row> extends Records<Row> {
  readonly title: string;
  readonly path: string;
  /** Name of the file, and its columns by their names in the API. */
  readonly file: string;
  readonly fields: readonly (keyof Row & string)[];
  readonly columns: readonly Column<Row>[];
  /** Shown where there is none, and none was searched for. */
  readonly empty: ComponentChildren;
}

export function RecordList<Row extends { readonly id: string }>(props: RecordListProps<Row>) {
  const { title, path, file, fields, columns, empty, read, query } = props;
  const t = texts.value.words;
  const { change } = useAddress();
  const cellsOf = (row: Row) => fields.map((field) => cellOf(row[field]));
  async function whole() {
    const all = await wholeList((cursor) =>
      call<Page<Row>>({ path, query: { ...query, limit: LARGEST_PAGE, cursor } }),
    );
    return all.ok ? { ...all, rows: all.rows.map(cellsOf) } : all;
  }
  const isSearch = query.search ?? query.status ?? query.cursor;
  return (
    <Loaded read={read} lines={8}>
      {({ data, nextCursor }) => (
        <>
          {data.length > 0 && (
            <>
              <Table
                caption={title}
                columns={columns}
                rows={data}
                rowKey={({ id }) => id}
                sort={query.sort as string}
                onSort={(sort) => change({ sort, cursor: undefined })}
                stacks
              />
              <ExportActs
                title={title}
                file={file}
                header={fields}
                rows={data.map(cellsOf)}
                whole={query.cursor || nextCursor ? whole : undefined}
                request={{ path, query }}
              />
            </>
          )}
          {data.length === 0 &&
            (isSearch ? (
              <Empty level={2} title={nextCursor === undefined ? t.noneFound : t.noneFoundYet} />
            ) : (
              empty
            ))}
          <Pager nextCursor={nextCursor} />
        </>
      )}
    </Loaded>
  );
}
