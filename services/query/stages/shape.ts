/** Stage 7: raw rows become rows on the wire; the only place where anything is divided or rounded. */
import type { RawRow } from '../../shared/ports/event-store.ts';
import type { Column } from '../catalogue/dataset.ts';
import type { Bucket } from '../time/buckets.ts';
import type { Plan } from './plan.ts';
import { rowNames } from './row-names.ts';

/** A row as the client gets it. */
export type WireRow = Record<string, string | number | null>;

/** A row for every bucket of a series, exactly one for a `row`, one per group for a list. */
export function* shapeRows(plan: Plan, raw: readonly RawRow[]): Generator<WireRow> {
  switch (plan.kind) {
    case 'list':
      for (const row of raw) yield shapeRow(plan.columns, row);
      return;
    case 'row':
      yield shapeRow(plan.columns, raw[0] ?? {});
      return;
    case 'series': {
      const byBucket = new Map(raw.map((row) => [row[rowNames.bucket], row]));
      for (const [index, bucket] of plan.buckets.entries()) {
        yield shapeRow(plan.columns, byBucket.get(index) ?? {}, bucket);
      }
    }
  }
}

function shapeRow(columns: readonly Column[], raw: RawRow, bucket?: Bucket): WireRow {
  const row: WireRow = {};
  for (const column of columns) {
    row[column.name] = cell(column, raw, bucket);
    if (column.value.from === 'bucket' && bucket?.hour !== undefined) {
      row.timestamp = isoText(bucket.hour);
    }
  }
  return row;
}

function cell({ value }: Column, raw: RawRow, bucket?: Bucket): string | number | null {
  const count = (name: string) => integer(raw[rowNames.measure(name)]);
  switch (value.from) {
    case 'bucket':
      return bucket?.label ?? null;
    case 'dimension':
      return String(raw[rowNames.dimension(value.dimension)] ?? '');
    case 'count':
      return count(value.measure);
    case 'instant': {
      const instant = raw[rowNames.measure(value.measure)];
      return typeof instant === 'number' ? isoText(instant) : null;
    }
    case 'medianSeconds': {
      const sum = integer(raw[rowNames.lower(value.measure)]) + integer(raw[rowNames.upper(value.measure)]);
      return quotient(sum, 2_000);
    }
    case 'quotient':
      return quotient(count(value.of) * (value.percent ? 100 : 1), count(value.by));
    case 'share':
      return quotient(count(value.measure) * 100, integer(raw[rowNames.total(value.measure)]));
  }
}

/** A count that an engine left out is 0; anything but an integer is a fault of a compiler. */
function integer(value: RawRow[string] | undefined): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new Error(`An engine returned ${typeof value} ${String(value)} where an integer was due.`);
}

/** Two non-negative integers divided and rounded to two decimals, half away from zero; 0 when `by` is 0. */
export function quotient(of: number, by: number): number {
  if (by === 0) return 0;
  const hundredths = BigInt(of) * 100n;
  const divisor = BigInt(by);
  const rounded = (2n * hundredths + divisor) / (2n * divisor);
  return Number(rounded) / 100;
}

function isoText(instant: number): string {
  return new Date(instant).toISOString();
}
