/** Turns the answers into what the screen shows; it computes no number. */

import type { DatasetAnswer } from '../../api/wire.ts';
import type { SparkPoint } from '../../charts/spark-path.ts';
import { type DatasetRow, numberOf, textOf } from '../../website/batch.ts';

/** Null where the row has no text. */
const textOrNull = (row: DatasetRow, column: string): string | null => textOf(row, column) || null;

/** A minute, and what was seen in it. */
export interface Minute {
  /** As the API writes it. */
  readonly timestamp: string;
  readonly pageviews: number;
  readonly visitors: number;
}

export function minutesOf({ data }: DatasetAnswer): readonly Minute[] {
  return data.map((row) => ({
    timestamp: textOf(row, 'timestamp'),
    pageviews: numberOf(row, 'pageviews'),
    visitors: numberOf(row, 'visitors'),
  }));
}

/** The last minute still runs. */
export function pointsOf(minutes: readonly Minute[]): readonly SparkPoint[] {
  return minutes.map(({ timestamp, pageviews }, index) => ({
    at: new Date(timestamp).getTime(),
    value: pageviews,
    isWhole: index < minutes.length - 1,
  }));
}

export const COUNTS = ['visitors', 'sessions', 'pageviews', 'total_events'] as const;
export type Counts = Readonly<Record<(typeof COUNTS)[number], number>>;

export function countsOf({ data }: DatasetAnswer): Counts {
  return Object.fromEntries(COUNTS.map((column) => [column, numberOf(data[0], column)])) as Counts;
}

export interface ActiveRow {
  readonly name: string;
  readonly visitors: number;
  readonly pageviews: number;
}

export function activeOf({ data }: DatasetAnswer): readonly ActiveRow[] {
  return data.map((row) => ({
    name: textOf(row, 'name'),
    visitors: numberOf(row, 'visitors'),
    pageviews: numberOf(row, 'pageviews'),
  }));
}

export interface LiveEvent {
  /** Tells it apart in the list. */
  readonly key: string;
  readonly timestamp: string;
  readonly name: string;
  readonly path: string | null;
  readonly country: string | null;
  readonly device: string | null;
  readonly browser: string | null;
}

/** The newest first. */
export function eventsOf({ data }: DatasetAnswer): readonly LiveEvent[] {
  return data.map((row, index) => ({
    key: `${textOf(row, 'timestamp')} ${textOf(row, 'session_id')} ${data.length - index}`,
    timestamp: textOf(row, 'timestamp'),
    name: textOf(row, 'event_name'),
    path: textOrNull(row, 'path'),
    country: textOrNull(row, 'country'),
    device: textOrNull(row, 'device_type'),
    browser: textOrNull(row, 'browser_name'),
  }));
}
