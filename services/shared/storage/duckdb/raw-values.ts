/** Translates between the port's values and DuckDB's: the parameters of a statement, and the values of its rows. */
import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  DuckDBDateValue,
  type DuckDBListType,
  type DuckDBPreparedStatement,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  SQLNULL,
  VARCHAR,
} from '@duckdb/node-api';
import type { RawRow, SqlValue } from '../../ports/event-store.ts';

/** Binds the parameters that the statement names; others are ignored, and a missing one fails when it runs. */
export function bindParameters(
  statement: DuckDBPreparedStatement,
  params: Readonly<Record<string, SqlValue>>,
): void {
  for (let index = 1; index <= statement.parameterCount; index++) {
    const name = statement.parameterName(index);
    if (!Object.hasOwn(params, name)) continue;
    const [value, type] = toDuckDb(params[name] ?? null);
    statement.bindValue(index, value, type);
  }
}

function toDuckDb(value: SqlValue): [DuckDBValue, DuckDBType] {
  if (value === null) return [null, SQLNULL];
  if (typeof value === 'string') return [value, VARCHAR];
  if (typeof value === 'boolean') return [value, BOOLEAN];
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? [BigInt(value), BIGINT] : [value, DOUBLE];
  const items = value.map((item) => toDuckDb(item)[0]);
  return [listValue(items), listType(value)];
}

/** A list of texts or of integers; an empty one suits either. */
function listType(items: readonly (string | number)[]): DuckDBListType {
  const first = items[0];
  if (first === undefined) return LIST(SQLNULL);
  return LIST(toDuckDb(first)[1]);
}

/** Rows by column name, in the port's values. */
export function toRawRows(names: readonly string[], rows: readonly (readonly DuckDBValue[])[]): RawRow[] {
  return rows.map((row) => {
    const raw: Record<string, RawRow[string]> = {};
    for (const [i, name] of names.entries()) raw[name] = toRaw(row[i] ?? null);
    return raw;
  });
}

/** Integers beyond 2^53 become text, instants epoch milliseconds, dates `YYYY-MM-DD`, anything nested its text. */
function toRaw(value: DuckDBValue): string | number | boolean | null {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value;
    case 'bigint':
      return integer(value);
    default:
      break;
  }
  if (value === null) return null;
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) {
    return milliseconds(value.micros, 1_000n);
  }
  if (value instanceof DuckDBTimestampMillisecondsValue) return integer(value.millis);
  if (value instanceof DuckDBTimestampSecondsValue) return integer(value.seconds * 1_000n);
  if (value instanceof DuckDBTimestampNanosecondsValue) return milliseconds(value.nanos, 1_000_000n);
  if (value instanceof DuckDBDateValue) return value.toString();
  return String(value);
}

/** Rounded down, also before 1970. */
function milliseconds(units: bigint, perMillisecond: bigint): string | number {
  const remainder = ((units % perMillisecond) + perMillisecond) % perMillisecond;
  return integer((units - remainder) / perMillisecond);
}

function integer(value: bigint): string | number {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
