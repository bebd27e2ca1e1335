/** A list of a dataset as a screen shows it: which columns, sorted by what, and the question that it asks; its state stands in the address. */
import type { DatasetRow } from '../website/batch.ts';
import { textOf } from '../website/batch.ts';
import type { DimensionName, NameKind } from '../website/dimensions.ts';
import { type Question, type Scene, sceneFields } from '../website/scene.ts';
import { type Filter, rowFilter } from '../website/scene-filters.ts';

/** How the values of a column are written. */
export type ColumnKind = 'count' | 'decimal' | 'percent' | 'duration' | 'milliseconds' | 'instant' | 'text';

export interface ListingColumn {
  /** Column of the dataset. */
  readonly key: string;
  readonly kind: ColumnKind;
  /** A click on the value keeps what has it. */
  readonly dimension?: DimensionName;
  /** How names of a text are written. */
  readonly names?: NameKind;
  /** The column that holds the value to filter by, or the country of a place. */
  readonly codeFrom?: string;
  /** What the column shows where there is no value. */
  readonly missing?: string;
  /** The API does not sort by it. */
  readonly isUnsorted?: boolean;
}

export interface Listing {
  readonly dataset: string;
  /** Arguments that the dataset takes beside its name. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly columns: readonly [ListingColumn, ...ListingColumn[]];
  /** The column that it is sorted by at first, `-` before it when the greatest comes first. */
  readonly sort: string;
  /** The dimension that a search looks through; absent: the list has no search. */
  readonly searched?: DimensionName;
  /** Dimensions by which the rows may be grouped once more. */
  readonly groupBy?: readonly string[];
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
    search: listing.searched === undefined ? '' : search,
    page: Number.isInteger(number) && number > 1 && number <= MOST_ROWS / PAGE_ROWS ? number : 1,
  };
}

/** The question of a list; `limit`: rows of a page. */
export function listingQuestion(
  scene: Scene,
  listing: Listing,
  { sort, search, page }: ListingState,
  limit = PAGE_ROWS,
): Question {
  const { dataset, arguments: more, searched } = listing;
  const looking: readonly Filter[] =
    searched !== undefined && search !== ''
      ? [{ dimension: searched, operator: 'contains', value: search, of: 'event' }]
      : [];
  return {
    id: dataset,
    parameters: [more === undefined ? dataset : { name: dataset, ...more }],
    ...sceneFields({ ...scene, filters: [...scene.filters, ...looking] }),
    sortBy: sort.replace(/^-/, ''),
    sortOrder: sort.startsWith('-') ? 'desc' : 'asc',
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
  if (column.dimension === undefined) return [];
  const country =
    column.names === 'place' && column.codeFrom !== undefined ? textOf(row, column.codeFrom) : '';
  return [
    ...(country.length === 2 ? [rowFilter('country', country)] : []),
    rowFilter(column.dimension, cellValue(row, column)),
  ];
}
