/** The answer to a batch of `POST /v1/query`, and how a dataset and its values are found in it. */
import type { DatasetAnswer, QueryAnswer } from '../api/wire.ts';

export interface QueryBatch {
  readonly results: readonly Pick<QueryAnswer, 'queryId' | 'data'>[];
}

export type DatasetRow = DatasetAnswer['data'][number];

/** The answer of a dataset, wherever it stands in the batch, or to the request `id`; undefined when it was not asked for, or has not come yet. */
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

/** A number of a row; what the row lacks is 0. */
export const numberOf = (row: DatasetRow | undefined, column: string): number => {
  const value = row?.[column];
  return typeof value === 'number' ? value : 0;
};

/** A text of a row; what the row lacks is empty. */
export const textOf = (row: DatasetRow, column: string): string => {
  const value = row[column];
  return typeof value === 'string' ? value : '';
};

/** The same row in the period that it is compared with; undefined: nothing is compared, or there is no such row. */
export function previousOf(row: DatasetRow | undefined): DatasetRow | undefined {
  const previous = row?.previous;
  return typeof previous === 'object' && previous !== null ? (previous as DatasetRow) : undefined;
}
