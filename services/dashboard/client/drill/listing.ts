/** A list of a dataset as a screen shows it: which columns, sorted by what, and the question that it asks; its state stands in the address. */
import type { Reading } from '../exports/whole-list.ts';
import type { DatasetRow } from '../website/batch.ts';
import { textOf } from '../website/batch.ts';
import type { DimensionName, NameKind } from '../website/dimensions.ts';
import type { Question, Scene } from '../website/scene.ts';
import { type Filter, rowFilter } from '../website/scene-filters.ts';
import { narrowedFields } from './narrowed-fields.ts';

/** How the values of a column are written; amounts name their currency. */
export type ColumnKind =
  | ('count' | 'decimal' | 'percent' | 'duration' | 'milliseconds' | 'instant' | 'text')
  | `money ${string}`;

export interface ListingColumn {
  /** Column of the dataset. */
  readonly key: string;
  readonly kind: ColumnKind;
  /** A click on the value keeps what has it; a function says by which dimension in a row. */
  readonly dimension?: DimensionName | ((row: DatasetRow) => DimensionName | undefined);
  /** How names of a text are written. */
  readonly names?: NameKind;
  /** The column that holds the value to filter by, or the country of a place. */
  readonly codeFrom?: string;
  /** What the column shows where there is no value. */
  readonly missing?: string;
  /** `whole`: words are not broken. `cut`: one line that ends in an ellipsis, with its whole text as its title. */
  readonly fit?: 'whole' | 'cut';
  /** The API does not sort by it. */
  readonly isUnsorted?: boolean;
}

export interface Listing {
  /** Tells it from other lists of the screen; absent: its dataset does. */
  readonly id?: string;
  readonly dataset: string;
  /** Arguments that the dataset takes beside its name. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly columns: readonly [ListingColumn, ...ListingColumn[]];
  /** The column that it is sorted by at first, `-` before it when the greatest comes first; empty: as the API orders it. */
  readonly sort: string;
  /** The columns that a search looks through; absent: the list has no search. */
  readonly searched?: readonly string[];
  /** Filters of its own beside those of the scene, as the API takes them. */
  readonly where?: readonly object[];
  /** Its rows are single things, such as sessions, which have no number in another period. */
  readonly isUncompared?: true;
  /** Dimensions by which the rows are grouped once more. */
  readonly groupBy?: readonly string[];
  /** Rows of a page; absent: {@link PAGE_ROWS}. */
  readonly rows?: number;
  /** How the API answers all of it; absent: as many rows as it answers of a list, in one call. */
  readonly reading?: Reading;
}

/** Rows of a page. */
export const PAGE_ROWS = 50;
/** As many as the API answers of a list. */
export const MOST_ROWS = 10_000;

export interface ListingState {
  readonly sort: string;
  readonly search: string;
  /** From 1. */
  readonly page: number;
}

/** The state of a list as the address says it; what makes no sense is as it is at first. */
export function listingState(
  listing: Listing,
  { sort, search = '', page }: Readonly<Record<string, string | undefined>>,
): ListingState {
  const isKnown = listing.columns.some(
    ({ key, isUnsorted }) => !isUnsorted && key === (sort ?? '').replace(/^-/, ''),
  );
  const number = Number(page);
  return {
    sort: isKnown ? (sort ?? listing.sort) : listing.sort,
    search: listing.searched ? search : '',
    page: Number.isInteger(number) && number > 1 && number <= lastPage(listing) ? number : 1,
  };
}

/** How all of a list is read for a file. */
export const readingOf = ({ reading = { rows: MOST_ROWS, pages: 1 } }: Listing): Reading => reading;

/** The last page that the address may name. */
export function lastPage(listing: Listing): number {
  const { rows, pages } = readingOf(listing);
  return (rows * pages) / (listing.rows ?? PAGE_ROWS);
}

/** The question of a list; `limit`: rows of a page. */
export function listingQuestion(
  scene: Scene,
  listing: Listing,
  { sort, search, page }: ListingState,
  limit = listing.rows ?? PAGE_ROWS,
): Question {
  const { dataset, id = dataset, arguments: more, groupBy } = listing;
  const about = listing.isUncompared ? { ...scene, comparison: undefined } : scene;
  return {
    id,
    parameters: [more === undefined ? dataset : { name: dataset, ...more }],
    ...narrowedFields(about, listing.where),
    ...(groupBy && { groupBy }),
    ...(search !== '' && { search, searchIn: listing.searched }),
    ...(sort !== '' && {
      sortBy: sort.replace(/^-/, ''),
      sortOrder: sort.startsWith('-') ? 'desc' : 'asc',
    }),
    limit,
    page,
  };
}

/** The value of a cell that it is filtered by; null: it has none. */
export function cellValue(
  row: DatasetRow,
  { key, codeFrom, names, missing = 'Unknown' }: ListingColumn,
): string | null {
  const value = names === 'country' && codeFrom !== undefined ? textOf(row, codeFrom) : textOf(row, key);
  return value === '' || value === missing ? null : value;
}

/** The filters that keep what a cell shows; of a place, its country as well. */
export function filtersOfCell(row: DatasetRow, column: ListingColumn): readonly Filter[] {
  const { dimension: of, names, codeFrom } = column;
  const dimension = typeof of === 'function' ? of(row) : of;
  if (dimension === undefined) return [];
  const country = names === 'place' && codeFrom !== undefined ? textOf(row, codeFrom) : '';
  return [
    ...(country.length === 2 ? [rowFilter('country', country)] : []),
    rowFilter(dimension, cellValue(row, column)),
  ];
}
