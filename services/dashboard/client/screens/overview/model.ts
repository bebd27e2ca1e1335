/** Turns answers of the API into what the overview shows. It computes no number: it picks, names and leaves out. */
import type { DatasetAnswer, QueryAnswer } from '../../api/wire.ts';
import { type BucketState, type Clock, stateOf } from './buckets.ts';
import type { Days } from './calendar.ts';
import { MEASURES, type Measure } from './measures.ts';
import type { List } from './panels.ts';
import { limitOf } from './questions.ts';
import type { Granularity } from './range.ts';

/** The answer to a batch of `POST /v1/query`. */
export interface QueryBatch {
  readonly results: readonly QueryAnswer[];
}

export type DatasetRow = DatasetAnswer['data'][number];

/** The answer of a dataset, wherever it stands in the batch, or to the request `id`; undefined when it was not asked for. */
export function answerOf(
  batch: QueryBatch | undefined,
  dataset: string,
  id?: string,
): DatasetAnswer | undefined {
  return batch?.results
    .filter(({ queryId }) => id === undefined || queryId === id)
    .flatMap(({ data }) => data)
    .find(({ parameter }) => parameter === dataset);
}

export const numberOf = (row: DatasetRow | undefined, column: string): number => {
  const value = row?.[column];
  return typeof value === 'number' ? value : 0;
};
export const textOf = (row: DatasetRow, column: string): string => {
  const value = row[column];
  return typeof value === 'string' ? value : '';
};

export type Values = Readonly<Record<Measure['column'], number>>;

/** The values of a row by column; what the row lacks is 0. */
function valuesOf(row: DatasetRow | undefined): Values {
  return Object.fromEntries(MEASURES.map(({ column }) => [column, numberOf(row, column)])) as Values;
}

/** The totals of the range. */
export function totalsOf(answer: DatasetAnswer): Values {
  return valuesOf(answer.data[0]);
}

/** What a measure is; null for a rate or a duration of no session at all, which the API tells as 0. */
export function measured({ column, kind }: Measure, values: Values): number | null {
  return kind !== 'count' && values.sessions === 0 ? null : values[column];
}

/** Events of every name in the range; without any, there is nothing to show. */
export function eventsOf(answer: DatasetAnswer | undefined): number {
  return numberOf(answer?.data[0], 'total_events');
}

/** Distinct visitors of the last five minutes. */
export function activeOf(answer: DatasetAnswer | undefined): number | undefined {
  return answer?.success ? numberOf(answer.data[0], 'active_users') : undefined;
}

export interface Bucket {
  readonly date: string;
  readonly timestamp?: string;
  readonly state: BucketState;
  /** Values by column of the API. */
  readonly values: Values;
}

/** The buckets of the series; those that have not begun are left out of lines and tables, not of the axis. */
export function bucketsOf(
  answer: DatasetAnswer,
  granularity: Granularity,
  clock: Clock,
  days: Days | undefined,
): readonly Bucket[] {
  return answer.data.map((row) => {
    const timestamp = textOf(row, 'timestamp') || undefined;
    const date = textOf(row, 'date');
    return {
      date,
      timestamp,
      state: stateOf({ date, timestamp }, granularity, clock, days),
      values: valuesOf(row),
    };
  });
}

export interface ListRow {
  readonly name: string;
  /** ISO code of the country that it is, or lies in; empty where there is none. */
  readonly country: string;
  readonly numbers: readonly [number, number];
  /** Percent of all, as the API tells it. */
  readonly percentage: number;
  /** Length of its bar: its first number by that of the first row, 0 to 1. */
  readonly share: number;
  readonly source: DatasetRow;
}

export interface ShownList {
  readonly rows: readonly ListRow[];
  readonly hasMore: boolean;
}

/** The first `shown` rows of a list. `domain`: the website's own, whose hosts are no referrers. */
export function shownList(answer: DatasetAnswer, list: List, shown: number, domain = ''): ShownList {
  const kept = answer.data.filter((row) => {
    const name = textOf(row, 'name');
    if (list.leavesOut !== undefined && name === list.leavesOut) return false;
    return list.leavesOut !== 'Direct' || !belongsTo(name, domain);
  });
  const most = numberOf(kept[0], list.columns[0]);
  const rows = kept.slice(0, shown).map((row) => {
    const first = numberOf(row, list.columns[0]);
    return {
      name: textOf(row, 'name'),
      country: textOf(row, 'country_code'),
      numbers: [first, numberOf(row, list.columns[1])] as const,
      percentage: numberOf(row, 'percentage'),
      share: most > 0 ? first / most : 0,
      source: row,
    };
  });
  // A full answer may have been cut.
  const isCut = answer.data.length >= limitOf(list.dataset, shown);
  return { rows, hasMore: kept.length > shown || isCut };
}

/** The shown rows as a table under the API's own names of the columns, for a file. */
export function tableOf({ rows }: ShownList): { header: string[]; rows: (string | number | null)[][] } {
  const header = Object.keys(rows[0]?.source ?? {});
  const cell = (value: DatasetRow[string] | undefined) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null);
  return { header, rows: rows.map(({ source }) => header.map((column) => cell(source[column]))) };
}

function belongsTo(host: string, domain: string): boolean {
  if (domain === '') return false;
  const own = domain.replace(/^www\./, '').replace(/:\d+$/, '');
  return host === own || host.endsWith(`.${own}`);
}
