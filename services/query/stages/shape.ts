/** Stage 7: raw rows become rows on the wire; the only place where anything is divided or rounded. */
import type { RawRow } from '../../shared/ports/event-store.ts';
import type { Column, ColumnValue } from '../catalogue/dataset.ts';
import type { Bucket } from '../time/buckets.ts';
import { finderOf, type RawRows } from './compared-rows.ts';
import { newRows } from './feed.ts';
import { hundredthsBeyondLower, percentOf } from './quantile.ts';
import type { QueryPlan } from './query-plan.ts';
import { rowNames } from './row-names.ts';

/** A row as the client gets it. */
export type WireRow = Record<string, string | number | object | null>;

/** A row for every bucket of a series, exactly one for a `row`, one per group for a list. */
export function* shapeRows(plan: QueryPlan, { rows, others }: RawRows): Generator<WireRow> {
  const findOther = plan.compared ? finderOf(plan, others) : null;
  const measured = measureColumns(plan);
  const shaped = (raw: RawRow, index?: number): WireRow => {
    const row = shapeRow(plan, raw, plan.buckets[index ?? Number(raw[rowNames.bucket])]);
    if (findOther) row[PREVIOUS] = measuresOf(plan, measured, findOther(raw, index));
    return row;
  };
  switch (plan.kind) {
    case 'list':
      if (plan.feed) yield* newRows(plan.feed, listRows(rows, shaped));
      else yield* listRows(rows, shaped);
      return;
    case 'row':
      yield shaped(rows[0] ?? {});
      return;
    case 'series':
      for (const { texts, rows: own } of linesOf(plan, rows)) {
        const byBucket = new Map(own.map((row) => [row[rowNames.bucket], row]));
        for (const index of plan.buckets.keys()) yield shaped(byBucket.get(index) ?? texts, index);
      }
  }
}

function* listRows(rows: readonly RawRow[], shaped: (raw: RawRow) => WireRow): Generator<WireRow> {
  for (const row of rows) yield shaped(row);
}

/** The rows of a group, and what all of them have in common. */
interface Line {
  readonly texts: RawRow;
  readonly rows: RawRow[];
}

/** A line for each group, by its texts ascending; without dimensions exactly one. */
function linesOf({ dimensions, everyWebsite }: QueryPlan, raw: readonly RawRow[]): Iterable<Line> {
  if (dimensions.length === 0) return [{ texts: {}, rows: [...raw] }];
  const names = dimensions.map(({ name }) => rowNames.dimension(name));
  const lines = new Map<string, Line>();
  const lineOf = (texts: RawRow): Line => {
    const key = JSON.stringify(names.map((name) => texts[name]));
    const line = lines.get(key) ?? { texts, rows: [] };
    lines.set(key, line);
    return line;
  };
  for (const id of everyWebsite ?? []) lineOf(Object.fromEntries(names.map((name) => [name, id])));
  for (const row of raw) {
    lineOf(Object.fromEntries(names.map((name) => [name, row[name] ?? null]))).rows.push(row);
  }
  return [...lines.values()].sort((a, b) => compareTexts(names, a.texts, b.texts));
}

/** By the bytes of UTF-8, as the engine orders texts. */
function compareTexts(names: readonly string[], a: RawRow, b: RawRow): number {
  for (const name of names) {
    const order = Buffer.compare(Buffer.from(String(a[name] ?? '')), Buffer.from(String(b[name] ?? '')));
    if (order !== 0) return order;
  }
  return 0;
}

/** What holds the measures of the row that a row is compared with. */
const PREVIOUS = 'previous';

/** The columns that say which row it is; the others are measures. */
const NAMING: readonly ColumnValue['from'][] = ['bucket', 'band', 'dimension', 'json'];

function measureColumns({ columns, sequenceKeys = [] }: QueryPlan): Column[] {
  return columns.filter(({ value }) => {
    const isKey = 'measure' in value && sequenceKeys.includes(value.measure);
    return !isKey && !NAMING.includes(value.from);
  });
}

function measuresOf(plan: QueryPlan, columns: readonly Column[], raw: RawRow | null): WireRow | null {
  if (raw === null) return null;
  const row: WireRow = {};
  for (const column of columns) row[column.name] = cell(column, raw, plan);
  return row;
}

/** A row of cells alone: what it is compared with stands in columns of its own. */
export function flatRow(row: WireRow, plan: QueryPlan): WireRow {
  if (!plan.compared) return row;
  const { [PREVIOUS]: previous, ...own } = row;
  const others = previous as WireRow | null;
  for (const { name } of measureColumns(plan)) own[flatName(name)] = others?.[name] ?? null;
  return own;
}

/** Of the columns of flat rows that have what the row is compared with. */
export const PREVIOUS_PREFIX = `${PREVIOUS}_`;

function flatName(column: string): string {
  return PREVIOUS_PREFIX + column;
}

/** The names of the columns of flat rows, in their order. */
export function columnNames(plan: QueryPlan): string[] {
  const { columns, buckets, compared } = plan;
  const hasStarts = buckets[0]?.start !== undefined;
  const own = columns.flatMap(({ name, value }) =>
    value.from === 'bucket' && hasStarts ? [name, 'timestamp'] : [name],
  );
  return compared ? [...own, ...measureColumns(plan).map(({ name }) => flatName(name))] : own;
}

function shapeRow(plan: QueryPlan, raw: RawRow, bucket?: Bucket): WireRow {
  const row: WireRow = {};
  for (const column of plan.columns) {
    row[column.name] = cell(column, raw, plan, bucket);
    if (column.value.from === 'bucket' && bucket?.start !== undefined) {
      row.timestamp = isoText(bucket.start);
    }
  }
  return row;
}

/** The factors for a quotient's `of` and `by`. */
const FACTORS = { ones: [1n, 1n], percent: [100n, 1n], thousandths: [1n, 1_000n] } as const;

function cell({ value }: Column, raw: RawRow, plan: QueryPlan, bucket?: Bucket): WireRow[string] {
  const count = (name: string) => integer(raw[rowNames.measure(name)]);
  switch (value.from) {
    case 'bucket':
      return bucket?.label ?? null;
    case 'band':
      return plan.bands?.[Number(integer(raw[rowNames.band]))]?.label ?? null;
    case 'dimension':
      return textOrNull(raw[rowNames.dimension(value.dimension)]);
    case 'json':
      return objectOrNull(raw[rowNames.dimension(value.dimension)]);
    case 'text':
      return textOrNull(raw[rowNames.measure(value.measure)]);
    case 'number': {
      const number = raw[rowNames.measure(value.measure)];
      return typeof number === 'number' ? number : null;
    }
    case 'count':
      return Number(count(value.measure));
    case 'instant': {
      const instant = raw[rowNames.measure(value.measure)];
      return typeof instant === 'number' ? isoText(instant) : null;
    }
    case 'seconds': {
      const milliseconds = raw[rowNames.measure(value.measure)];
      return typeof milliseconds === 'number' ? quotient(integer(milliseconds), 1_000n) : null;
    }
    case 'span':
      return quotient(count(value.last) - count(value.first), 1_000n);
    case 'sum': {
      const isNothing = raw[rowNames.measure(value.measure)] === null;
      return value.isNullable && isNothing ? null : quotient(count(value.measure), 1_000n);
    }
    case 'quantile': {
      const beyond = hundredthsBeyondLower(
        integer(raw[rowNames.values(value.measure)]),
        percentOf(plan.measures[value.measure]),
      );
      const lower = integer(raw[rowNames.lower(value.measure)]) * (100n - beyond);
      const upper = integer(raw[rowNames.upper(value.measure)]) * beyond;
      return quotient(lower + upper, 100_000n, value.decimals);
    }
    case 'quotient': {
      const [times, per] = FACTORS[value.times];
      return quotient(count(value.of) * times, count(value.by) * per);
    }
    case 'share':
      return quotient(count(value.measure) * 100n, integer(raw[rowNames.total(value.measure)]));
  }
}

function textOrNull(value: RawRow[string] | undefined): string | null {
  return value === undefined || value === null ? null : String(value);
}

function objectOrNull(value: RawRow[string] | undefined): object | null {
  return typeof value === 'string' ? (JSON.parse(value) as object) : null;
}

/**
 * A count that an engine omitted is 0; integers beyond 2^53 come as text; anything but an integer is a fault of a
 * compiler.
 */
function integer(value: RawRow[string] | undefined): bigint {
  if (value === undefined || value === null) return 0n;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^-?\d+$/.test(value)) return BigInt(value);
  throw new Error(`An engine returned ${typeof value} ${String(value)} where an integer was due.`);
}

/** Two integers divided and rounded, by default to two decimals, half away from zero; 0 when `by` is 0. */
export function quotient(of: bigint, by: bigint, decimals: 2 | 3 = 2): number {
  if (by === 0n) return 0;
  const scale = decimals === 2 ? 100n : 1_000n;
  const magnitude = (of < 0n ? -of : of) * scale;
  const rounded = (2n * magnitude + by) / (2n * by);
  return Number(of < 0n ? -rounded : rounded) / Number(scale);
}

function isoText(instant: number): string {
  return new Date(instant).toISOString();
}
