/** Turns the values of a custom query's rows into JSON, without losing what JSON numbers cannot hold. */
import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBUnionValue,
  type DuckDBValue,
} from '@duckdb/node-api';

/** A value as it appears in an answer. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** Milliseconds since the epoch that a JavaScript date can show. */
const MAX_DATE_MS = 8_640_000_000_000_000n;

/**
 * Integers beyond 2^53 and decimals become text, instants ISO 8601 in UTC, dates `YYYY-MM-DD`, numbers without a value
 * (NaN, infinities) null, lists arrays, structs objects, maps lists of `{key, value}`, blobs base64, everything else its
 * text.
 */
export function toJsonValue(value: DuckDBValue): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'bigint': {
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : value.toString();
    }
    default:
      return value === null || value === undefined ? null : fromObject(value);
  }
}

function fromObject(value: object): JsonValue {
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) {
    return isoText(value.micros, 1_000n, value);
  }
  if (value instanceof DuckDBTimestampMillisecondsValue) return isoText(value.millis, 1n, value);
  if (value instanceof DuckDBTimestampSecondsValue) return isoText(value.seconds * 1_000n, 1n, value);
  if (value instanceof DuckDBTimestampNanosecondsValue) return isoText(value.nanos, 1_000_000n, value);
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue)
    return value.items.map(toJsonValue);
  if (value instanceof DuckDBStructValue) {
    return Object.fromEntries(
      Object.entries(value.entries).map(([name, entry]) => [name, toJsonValue(entry)]),
    );
  }
  if (value instanceof DuckDBMapValue) {
    return value.entries.map((entry) => ({ key: toJsonValue(entry.key), value: toJsonValue(entry.value) }));
  }
  if (value instanceof DuckDBUnionValue) return toJsonValue(value.value);
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('base64');
  return String(value);
}

/** Rounded down to the millisecond, also before 1970; instants beyond the range of a date become their own text. */
function isoText(units: bigint, perMillisecond: bigint, value: object): string {
  const remainder = ((units % perMillisecond) + perMillisecond) % perMillisecond;
  const ms = (units - remainder) / perMillisecond;
  if (ms > MAX_DATE_MS || ms < -MAX_DATE_MS) return String(value);
  return new Date(Number(ms)).toISOString();
}
