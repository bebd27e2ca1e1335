/** Makers of columns, so that a dataset's file reads like the row of a table. */
import type { Column } from './dataset.ts';

/** The label of a bucket; rows of minutes and hours also carry its instant as `timestamp`. */
export function bucketDate(): Column {
  return {
    name: 'date',
    type: 'date',
    description:
      'Bucket in the requested timezone: YYYY-MM-DD HH:MM:00 (minute), YYYY-MM-DD HH:00:00 (hourly), YYYY-MM-DD (daily), the Sunday of the week (weekly), YYYY-MM-01 (monthly).',
    value: { from: 'bucket' },
  };
}

/** The label of a band. */
export function band(name: string, description: string): Column {
  return { name, type: 'string', description, value: { from: 'band' } };
}

/** The text of a dimension; `dimension` if it is not named like the column. */
export function text(name: string, description: string, dimension: string = name): Column {
  return { name, type: 'string', description, value: { from: 'dimension', dimension } };
}

/** The text that a measure finds. */
export function found(name: string, description: string, measure: string = name): Column {
  return { name, type: 'string', description, value: { from: 'text', measure } };
}

/** The JSON object in the dimension of the same name. */
export function json(name: string, description: string): Column {
  return { name, type: 'object', description, value: { from: 'json', dimension: name } };
}

/** A sum of numbers, with two decimals. */
export function sum(name: string, description: string): Column {
  return { name, type: 'number', description, value: { from: 'sum', measure: name } };
}

/** A sum of numbers, with two decimals; null where the engine says nothing. */
export function sumOrNull(name: string, description: string): Column {
  return { name, type: 'number', description, value: { from: 'sum', measure: name, isNullable: true } };
}

/** A count; `measure` if it is not named like the column. */
export function count(name: string, description: string, measure: string = name): Column {
  return { name, type: 'number', description, value: { from: 'count', measure } };
}

/** A number of a single event, or null. */
export function number(name: string, description: string): Column {
  return { name, type: 'number', description, value: { from: 'number', measure: name } };
}

/** An instant as ISO 8601 text in UTC. */
export function instant(name: string, description: string, measure: string): Column {
  return { name, type: 'time', description, value: { from: 'instant', measure } };
}

/** Seconds that a measure has in milliseconds, with two decimals, or null. */
export function seconds(name: string, description: string): Column {
  return { name, type: 'number', description, value: { from: 'seconds', measure: name } };
}

/** A median or percentile, interpolated linearly, with two decimals by default. */
export function quantile(name: string, description: string, measure: string, decimals: 2 | 3 = 2): Column {
  return { name, type: 'number', description, value: { from: 'quantile', measure, decimals } };
}

/** Seconds between two instants. */
export function span(name: string, description: string, first: string, last: string): Column {
  return { name, type: 'number', description, value: { from: 'span', first, last } };
}

/** `of` divided by `by`, with two decimals. */
export function ratio(name: string, description: string, of: string, by: string): Column {
  return { name, type: 'number', description, value: { from: 'quotient', of, by, times: 'ones' } };
}

/** The mean of a number: its sum divided by how many events have it, with two decimals. */
export function mean(name: string, description: string, of: string, by: string): Column {
  return { name, type: 'number', description, value: { from: 'quotient', of, by, times: 'thousandths' } };
}

/** `of` as a percentage of `by`, with two decimals. */
export function percent(name: string, description: string, of: string, by: string): Column {
  return { name, type: 'number', description, value: { from: 'quotient', of, by, times: 'percent' } };
}

/** Percentage of the filtered total of a measure. */
export function share(measure: string, name = 'percentage'): Column {
  return {
    name,
    type: 'number',
    description: `Share of the filtered total of ${measure}, in percent with two decimals.`,
    value: { from: 'share', measure },
  };
}

/** The three columns M of datasets.md, over the measures `pageviews` and `visitors`. */
export function pageviewColumns(of: string): readonly Column[] {
  return [
    count('pageviews', `Pageviews of the ${of}.`),
    count('visitors', `Distinct visitors of the ${of}.`),
    share('pageviews'),
  ];
}
