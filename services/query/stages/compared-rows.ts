/** Finds the rows of a plan in the other period; part of the shape stage. */
import type { RawRow } from '../../shared/ports/event-store.ts';
import type { QueryPlan, RowKey } from './query-plan.ts';
import { keyColumn, rowNames } from './row-names.ts';

/** The rows of a plan, and those of the plan that it is compared with. */
export interface RawRows {
  readonly rows: readonly RawRow[];
  readonly others: readonly RawRow[];
}

/** What tells the row of a list from others. */
export function keyOf({ dimensions, sequenceKeys = [] }: QueryPlan, row: RawRow): RowKey {
  const keys = sequenceKeys.map((key) => (key === 'bucket' ? rowNames.bucket : rowNames.measure(key)));
  return [...keys, ...dimensions.map(keyColumn)].map((column) => {
    const text = row[column];
    return text === undefined || text === null ? null : String(text);
  });
}

/** Finds what a row is compared with, given the index of its bucket in a series; null: there is no such row. */
export type FindOther = (row: RawRow, bucket?: number) => RawRow | null;

/** `others`: in any order. */
export function finderOf(plan: QueryPlan, others: readonly RawRow[]): FindOther {
  const { kind, bands, compared } = plan;
  switch (kind) {
    case 'row':
      return () => others[0] ?? {};
    case 'series': {
      const placeOf = (row: RawRow, bucket: unknown) => JSON.stringify([bucket, ...keyOf(plan, row)]);
      const byPlace = new Map(others.map((row) => [placeOf(row, row[rowNames.bucket]), row]));
      return (row, bucket = 0) => {
        const other = compared?.pairs[bucket] ?? null;
        return other === null ? null : (byPlace.get(placeOf(row, other)) ?? {});
      };
    }
    case 'list': {
      const textOf = (row: RawRow) => JSON.stringify(bands ? row[rowNames.band] : keyOf(plan, row));
      const byKey = new Map(others.map((row) => [textOf(row), row]));
      return (row) => byKey.get(textOf(row)) ?? null;
    }
  }
}
