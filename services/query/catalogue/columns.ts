/** Makers of columns, so that a dataset's file reads as the row of a table. */
import type { Column } from './dataset.ts';

/** The label of a bucket; hourly rows also carry its instant as `timestamp`. */
export function bucketDate(): Column {
  return {
    name: 'date',
    type: 'date',
    description:
      'Bucket in the requested timezone: YYYY-MM-DD HH:00:00 (hourly), YYYY-MM-DD (daily), the Sunday of the week (weekly), YYYY-MM-01 (monthly).',
    value: { from: 'bucket' },
  };
}

/** The text of the dimension of the same name. */
export function text(name: string, description: string): Column {
  return { name, type: 'string', description, value: { from: 'dimension', dimension: name } };
}

/** A count; `measure` when it is not named as the column. */
export function count(name: string, description: string, measure: string = name): Column {
  return { name, type: 'number', description, value: { from: 'count', measure } };
}

/** An instant as ISO 8601 text in UTC. */
export function instant(name: string, description: string, measure: string): Column {
  return { name, type: 'time', description, value: { from: 'instant', measure } };
}

/** A median in seconds. */
export function medianSeconds(name: string, description: string, measure: string): Column {
  return { name, type: 'number', description, value: { from: 'medianSeconds', measure } };
}

/** `of` per `by`, two decimals. */
export function mean(name: string, description: string, of: string, by: string): Column {
  return { name, type: 'number', description, value: { from: 'quotient', of, by, percent: false } };
}

/** `of` in percent of `by`, two decimals. */
export function percent(name: string, description: string, of: string, by: string): Column {
  return { name, type: 'number', description, value: { from: 'quotient', of, by, percent: true } };
}

/** Percentage of the filtered total of a count. */
export function share(measure: string): Column {
  return {
    name: 'percentage',
    type: 'number',
    description: `Share of the filtered total of ${measure}, in percent with two decimals.`,
    value: { from: 'share', measure },
  };
}
