/** Turns the answer of a list into the rows that its panel shows. It computes no number: it picks, names and leaves out. */
import type { DatasetAnswer } from '../../../api/wire.ts';
import { tableOf } from '../../../drill/table-of.ts';
import { type DatasetRow, numberOf, previousOf, textOf } from '../../../website/batch.ts';
import { type Filter, rowFilter } from '../../../website/scene-filters.ts';
import type { List } from '../panels.ts';
import { limitOf } from '../questions.ts';

export interface ListRow {
  /** Identifier of the goal that it is; empty: it is none. */
  readonly id: string;
  readonly name: string;
  /** ISO code of the country that it is, or lies in; empty where there is none. */
  readonly country: string;
  readonly numbers: readonly [number, number];
  /** Percent of all, as the API tells it; of a goal its rate. */
  readonly percentage: number;
  /** Length of its bar: its first number by the greatest of the list, 0 to 1. */
  readonly share: number;
  /** Its first number in the period that it is compared with; null: there was no such row. */
  readonly before: number | null;
  readonly source: DatasetRow;
}

export interface ShownList {
  readonly rows: readonly ListRow[];
  readonly hasMore: boolean;
}

/** The first `shown` rows of a list. */
export function shownList(answer: DatasetAnswer, list: List, shown: number): ShownList {
  const kept = answer.data.filter((row) => textOf(row, 'name') !== list.leavesOut);
  const most = Math.max(0, ...kept.map((row) => numberOf(row, list.columns[0])));
  const rows = kept.slice(0, shown).map((row) => {
    const first = numberOf(row, list.columns[0]);
    return {
      id: textOf(row, 'goal_id'),
      name: textOf(row, 'name'),
      country: textOf(row, 'country_code'),
      numbers: [first, numberOf(row, list.columns[1])] as const,
      percentage: numberOf(row, list.percent ?? 'percentage'),
      share: most > 0 ? first / most : 0,
      before: beforeOf(row, list.columns[0]),
      source: row,
    };
  });
  // A full answer may have been cut.
  const isCut = answer.data.length >= limitOf(list.dataset, shown);
  return { rows, hasMore: kept.length > shown || isCut };
}

/** The shown rows as the table of a file. */
export const fileOf = ({ rows }: ShownList) => tableOf(rows.map(({ source }) => source));

function beforeOf(row: DatasetRow, column: string): number | null {
  const previous = previousOf(row);
  return previous === undefined ? null : numberOf(previous, column);
}

/** The filters that keep what a row shows; of a region or a city, its country as well. A goal is none. */
export function filtersOfRow({ name, country }: ListRow, { dimension, kind }: List): readonly Filter[] {
  if (dimension === undefined) return [];
  const value = kind === 'country' && country !== '' ? country : name;
  const isMissing = MISSING.has(value) && dimension !== 'channel';
  return [
    ...(kind === 'place' && country.length === 2 ? [rowFilter('country', country)] : []),
    rowFilter(dimension, isMissing ? null : value),
  ];
}

/** What the API shows in place of no value. */
const MISSING = new Set(['Unknown', 'Direct']);
