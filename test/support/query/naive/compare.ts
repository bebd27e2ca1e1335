/** What rows are compared with, found by dates: written from the definitions, not from the service. */
import { DATASETS_BY_NAME } from '../../../../services/query/datasets/index.ts';
import type { EventRecord } from '../../../../services/shared/model/event-record.ts';
import { createWallClock, type NaiveBucket, type NaiveRange, naiveBuckets } from './calendar.ts';
import { evaluateNaively, granularitiesOf, type NaiveQuestion } from './evaluate.ts';
import type { Row } from './measures.ts';

const DAY_MS = 86_400_000;

/** Another period of whole days, and where a day of the range falls in it; null: nowhere. */
export interface NaivePeriod {
  readonly range: NaiveRange;
  move(day: string): string | null;
}

export type NaiveCompare = 'previous' | 'year' | { readonly startDate: string; readonly endDate: string };

const dayText = (instant: number) => new Date(instant).toISOString().slice(0, 10);
const later = (day: string, days: number) => dayText(Date.parse(day) + days * DAY_MS);
const yearEarlier = (day: string) => `${String(Number(day.slice(0, 4)) - 1)}${day.slice(4)}`;
const exists = (day: string) => !Number.isNaN(Date.parse(day)) && dayText(Date.parse(day)) === day;

/** The period of a range that is over and does not start or end on 29 February. */
export function naivePeriod({ zone, startDate, endDate }: NaiveRange, compare: NaiveCompare): NaivePeriod {
  if (compare === 'year') {
    const move = (day: string) => (exists(yearEarlier(day)) ? yearEarlier(day) : null);
    return { range: { zone, startDate: yearEarlier(startDate), endDate: yearEarlier(endDate) }, move };
  }
  const length = (Date.parse(endDate) - Date.parse(startDate)) / DAY_MS + 1;
  const range =
    compare === 'previous'
      ? { zone, startDate: later(startDate, -length), endDate: later(startDate, -1) }
      : { zone, ...compare };
  const by = (Date.parse(range.startDate) - Date.parse(startDate)) / DAY_MS;
  return { range, move: (day) => later(day, by) };
}

/** The rows of every dataset of a range, each with `previous`. */
export function compareNaively(
  websiteId: string,
  events: readonly EventRecord[],
  range: NaiveRange,
  period: NaivePeriod,
  question: NaiveQuestion,
): Record<string, Row[]> {
  const paired = new Map<string, readonly (NaiveBucket | null)[]>();
  for (const granularity of granularitiesOf(range))
    paired.set(granularity, pairs(range, period, granularity));
  const none: NaiveBucket = { label: '', holds: () => false };
  const rows = evaluateNaively(websiteId, events, range, question);
  const others = evaluateNaively(websiteId, events, period.range, {
    ...question,
    bucketsOf: (granularity) => (paired.get(granularity) ?? []).map((bucket) => bucket ?? none),
  });
  return Object.fromEntries(
    Object.entries(rows).map(([name, own]) => [name, withPrevious(name, own, others[name] ?? [], paired)]),
  );
}

function withPrevious(
  id: string,
  rows: readonly Row[],
  others: readonly Row[],
  paired: ReadonlyMap<string, readonly (NaiveBucket | null)[]>,
): Row[] {
  const [name = '', granularity = ''] = id.split(':');
  const dataset = DATASETS_BY_NAME.get(name);
  const naming = (dataset?.columns ?? [])
    .filter(
      ({ value }) =>
        ['bucket', 'band', 'dimension', 'json'].includes(value.from) ||
        ('measure' in value && dataset?.sequence?.keys.includes(value.measure)),
    )
    .map((column) => column.name);
  // Cohorts are compared in their order: the first with the first.
  const nameOf = (row: Row, of: readonly Row[]) =>
    JSON.stringify(
      naming.map((column) =>
        column === 'date' ? [...new Set(of.map(({ date }) => date))].indexOf(row.date ?? null) : row[column],
      ),
    );
  const lines = (dataset?.columns ?? [])
    .filter(({ value }) => value.from === 'dimension')
    .map((column) => column.name);
  const lineOf = (row: Row) => JSON.stringify(lines.map((column) => row[column]));
  const measures = (row: Row | undefined) =>
    row
      ? Object.fromEntries(
          Object.entries(row).filter(([key]) => key !== 'timestamp' && !naming.includes(key)),
        )
      : null;
  return rows.map((row, index) => {
    if (dataset?.unit === 'eachEvent') return { ...row, previous: null };
    if (dataset?.kind === 'row') return { ...row, previous: measures(others[0]) };
    if (dataset?.kind === 'series') {
      const buckets = paired.get(granularity) ?? [];
      const place = index % buckets.length;
      // Lines of the other period by what names them, which no bucket does here: their labels are those of the other days.
      const line = others.filter((other) => lineOf(other) === lineOf(row));
      return { ...row, previous: buckets[place] ? (measures(line[place]) ?? zerosOf(measures(row))) : null };
    }
    return {
      ...row,
      previous: measures(others.find((other) => nameOf(other, others) === nameOf(row, rows))),
    };
  });
}

/** What a line says of a period without any of its events. */
function zerosOf(row: Row | null): Row {
  return Object.fromEntries(Object.keys(row ?? {}).map((column) => [column, 0]));
}

/** For each bucket of the range the instants that it is compared with; null: none. */
function pairs(range: NaiveRange, period: NaivePeriod, granularity: string): (NaiveBucket | null)[] {
  const buckets = naiveBuckets(range, granularity);
  if (granularity === 'minute' || granularity === 'hourly') {
    const others = new Map(
      counted(naiveBuckets(period.range, granularity)).map(({ bucket, nth }) => [
        `${bucket.label}|${nth}`,
        bucket,
      ]),
    );
    return counted(buckets).map(({ bucket, nth }) => {
      const day = period.move(bucket.label.slice(0, 10));
      return others.get(`${day}${bucket.label.slice(10)}|${nth}`) ?? null;
    });
  }
  const clock = createWallClock(range.zone);
  const days: string[] = [];
  for (let day = range.startDate; day <= range.endDate; day = later(day, 1)) days.push(day);
  const isIn = (bucket: NaiveBucket, day: string) => holdsDay(bucket, day, granularity);
  return buckets.map((bucket, index) => {
    const moved = days.filter((day) => isIn(bucket, day)).map((day) => period.move(day));
    const all = moved.filter((day) => day !== null);
    const next = buckets[index + 1];
    const nextDay = next && days.find((day) => isIn(next, day));
    const nextMoved = nextDay === undefined ? null : period.move(nextDay);
    const first = all[0];
    // The whole of a month that is followed by another one.
    const last = granularity === 'monthly' && nextMoved !== null ? later(nextMoved, -1) : all.at(-1);
    if (first === undefined || last === undefined || first > period.range.endDate) return null;
    const end = last < period.range.endDate ? last : period.range.endDate;
    return {
      label: '',
      holds: (instant) => {
        const { date } = clock(instant);
        return date >= first && date <= end;
      },
    };
  });
}

function holdsDay({ label }: NaiveBucket, day: string, granularity: string): boolean {
  if (granularity === 'daily') return label === day;
  if (granularity === 'monthly') return label.slice(0, 7) === day.slice(0, 7);
  return day >= label && day < later(label, 7);
}

/** Buckets with how many of the same label came before. */
function counted(buckets: readonly NaiveBucket[]): { bucket: NaiveBucket; nth: number }[] {
  const seen = new Map<string, number>();
  return buckets.map((bucket) => {
    const nth = seen.get(bucket.label) ?? 0;
    seen.set(bucket.label, nth + 1);
    return { bucket, nth };
  });
}
