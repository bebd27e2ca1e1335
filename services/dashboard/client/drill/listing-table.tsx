/** Draws a list of a dataset: search, sorting, further pages, a filter by click on each value, comparison, CSV and the command that answers the same. */
import type { ComponentChildren } from 'preact';
import type { Read } from '../api/use-read.ts';
import type { DatasetAnswer } from '../api/wire.ts';
import { Button } from '../design/button.tsx';
import { SearchField } from '../design/search-field.tsx';
import { type Column, Table } from '../design/table.tsx';
import type { Cell } from '../exports/csv.ts';
import { ExportActs } from '../exports/export-acts.tsx';
import type { Whole } from '../exports/whole-list.ts';
import { FaultNotice } from '../states/fault-notice.tsx';
import { texts } from '../texts/texts.ts';
import { wholeDataset } from '../website/ask-dataset.ts';
import { type DatasetRow, numberOf, previousOf, type QueryBatch } from '../website/batch.ts';
import { Change } from '../website/change.tsx';
import { queryRequest } from '../website/scene.ts';
import type { SceneView } from '../website/use-scene.ts';
import { cellText } from './cell-text.ts';
import {
  filtersOfCell,
  type Listing,
  type ListingColumn,
  lastPage,
  listingQuestion,
  PAGE_ROWS,
  readingOf,
} from './listing.ts';
import { PartCard } from './part-card.tsx';
import { tableOf } from './table-of.ts';
import { drillTexts } from './texts.ts';
import type { ListingView } from './use-listing.ts';

/** `usual`: what is drawn where nothing else is said. */
export type DrawCell = (row: DatasetRow, text: string, usual: ComponentChildren) => ComponentChildren;

export interface ListingTableProps {
  readonly title: string;
  /** What the list counts. */
  readonly definition: string;
  /** Titles of the columns by their keys. */
  readonly titles: Readonly<Record<string, string>>;
  readonly listing: Listing;
  readonly view: ListingView;
  readonly scene: SceneView;
  /** The call of the screen, whose batch holds the list. */
  readonly read: Read<QueryBatch>;
  /** Draws cells by the keys of their columns, such as a link to what the row is. */
  readonly cells?: Readonly<Record<string, DrawCell>>;
  /** Columns of the screen's own, behind those of the list. */
  readonly more?: readonly Column<DatasetRow>[];
  /** What is said when there is no row; absent: that there is nothing in this range. */
  readonly nothing?: string;
  /** What else chooses its rows, beside the search. */
  readonly children?: ComponentChildren;
}

export function ListingTable(props: ListingTableProps) {
  const { title, definition, listing, view, scene, read, children } = props;
  const request = queryRequest(scene, [listingQuestion(scene, listing, view)]);
  return (
    <PartCard
      title={title}
      definition={definition}
      read={read}
      dataset={listing.dataset}
      id={listing.id}
      acts={
        <>
          {children}
          {listing.searched && <SearchField label={drillTexts.value.searchIn(title)} ends={['page']} />}
        </>
      }
    >
      {(answer) => (
        <>
          <Rows {...props} answer={answer} />
          <div class="row spread">
            <Pages listing={listing} view={view} rows={answer.data.length} />
            {answer.data.length > 0 && (
              <ExportActs
                title={title}
                file={listing.dataset}
                {...tableOf(answer.data)}
                whole={
                  view.page > 1 || answer.data.length >= (listing.rows ?? PAGE_ROWS)
                    ? () => wholeOf(scene, listing, view)
                    : undefined
                }
                request={request}
              />
            )}
          </div>
        </>
      )}
    </PartCard>
  );
}

function Rows({
  title,
  titles,
  listing,
  view,
  scene,
  answer,
  cells = {},
  more = [],
  nothing,
}: ListingTableProps & { answer: DatasetAnswer }) {
  const t = drillTexts.value;
  const [first] = listing.columns;
  const counted = listing.columns.find(({ kind }) => kind !== 'text' && kind !== 'instant');
  const columns = listing.columns.map(
    (column): Column<DatasetRow> => ({
      key: column.key,
      title: titles[column.key] ?? column.key,
      isNumber: column !== first && column.kind !== 'text',
      sort: column.isUnsorted ? undefined : column.key,
      cell: (row) => <CellOf row={row} column={column} scene={scene} draw={cells[column.key]} />,
    }),
  );
  if (scene.comparison !== undefined && !listing.isUncompared && counted !== undefined) {
    columns.splice(listing.columns.indexOf(counted) + 1, 0, {
      key: 'change',
      title: texts.value.overview.change.title,
      isNumber: true,
      cell: (row) => <Change now={numberOf(row, counted.key)} before={beforeOf(row, counted.key)} />,
    });
  }
  if (answer.data.length === 0) {
    const none = view.search === '' ? (nothing ?? t.nothing) : t.notFound;
    return <p class="soft nothing">{view.page > 1 ? t.noFurther : none}</p>;
  }
  return (
    <Table
      caption={title}
      rows={answer.data}
      rowKey={(row) => `${String(row[first.key])} ${answer.data.indexOf(row)}`}
      columns={[...columns, ...more]}
      sort={view.sort}
      onSort={view.showSort}
      stacks
    />
  );
}

function beforeOf(row: DatasetRow, key: string): number | null {
  const previous = previousOf(row);
  return previous === undefined ? null : numberOf(previous, key);
}

interface CellProps {
  readonly row: DatasetRow;
  readonly column: ListingColumn;
  readonly scene: SceneView;
  readonly draw?: DrawCell | undefined;
}

export function CellOf({ row, column, scene, draw }: CellProps) {
  const text = cellText(row, column);
  const shown = text === '' ? '–' : column.kind === 'text' ? <Fitted fit={column.fit} text={text} /> : text;
  const added = filtersOfCell(row, column);
  const usual =
    added.length === 0 ? (
      shown
    ) : (
      <button
        type="button"
        class="drill"
        title={texts.value.overview.only(text)}
        onClick={() => scene.addFilters(added)}
      >
        {shown}
      </button>
    );
  return <>{draw ? draw(row, text, usual) : usual}</>;
}

function Fitted({ fit, text }: Pick<ListingColumn, 'fit'> & { readonly text: string }) {
  return (
    <bdi class={fit} title={fit === 'cut' ? text : undefined}>
      {text}
    </bdi>
  );
}

type PagesProps = Pick<ListingTableProps, 'listing' | 'view'> & { readonly rows: number };

function Pages({ listing, view, rows }: PagesProps) {
  const t = drillTexts.value;
  const hasMore = rows >= (listing.rows ?? PAGE_ROWS) && view.page < lastPage(listing);
  if (view.page === 1 && !hasMore) return <span />;
  return (
    <nav class="row screen-only" aria-label={t.pages}>
      {view.page > 1 && (
        <Button icon="chevron-left" onClick={() => view.showPage(view.page - 1)}>
          {t.before}
        </Button>
      )}
      <span class="soft">{t.page(view.page)}</span>
      {hasMore && (
        <Button icon="chevron-right" onClick={() => view.showPage(view.page + 1)}>
          {t.next}
        </Button>
      )}
    </nav>
  );
}

/** The whole list for a file, as far as the API answers it. */
async function wholeOf(
  scene: SceneView,
  listing: Listing,
  view: ListingView,
): Promise<Whole<readonly Cell[]>> {
  const { dataset, id = dataset } = listing;
  const reading = readingOf(listing);
  const requestOf = (page: number) =>
    queryRequest(scene, [listingQuestion(scene, listing, { ...view, page }, reading.rows)]);
  const whole = await wholeDataset(requestOf, reading, dataset, id);
  return whole.ok ? { ...whole, ...tableOf(whole.rows) } : whole;
}

/** The fault of the screen's call, above what it shows. */
export function ReadFault({ read }: { read: Read<QueryBatch> }) {
  const { fault, data, at, repeatsAt, again } = read;
  return fault ? <FaultNotice fault={fault} at={data && at} repeatsAt={repeatsAt} again={again} /> : null;
}
