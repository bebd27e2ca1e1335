/** Reads the bounds of ranges: dates, date-times and instants of presets; part of the parse stage. */
import type { TimeRange } from '../time/buckets.ts';
import { type DateText, readDateText } from '../time/date-text.ts';
import { DAY_MS, type LocalTime, type Zone } from '../time/zone.ts';
import { type Faults, fieldIn } from './faults.ts';

/** Where a range stands, and where its faults go. */
export interface RangeContext {
  readonly prefix: string;
  readonly zone: Zone;
  readonly faults: Faults;
}

/** A date with the field that it was given in. */
export interface DateField {
  readonly field: string;
  readonly text: string;
}

/** Of a dataset without dates. */
export const NO_RANGE: TimeRange = { from: 0, to: 0 };

/** A bound is an instant (from a preset), a date with its field, or missing. */
export type Bound = number | DateField | undefined;

export function parseRange(start: Bound, end: Bound, context: RangeContext): TimeRange {
  const { prefix, faults, zone } = context;
  for (const [bound, name] of [
    [start, 'startDate'],
    [end, 'endDate'],
  ] as const) {
    if (bound !== undefined) continue;
    faults.add(fieldIn(prefix, name), 'Required: give startDate and endDate, or a preset.');
  }
  const from = startInstant(start, zone, faults);
  const to = endInstants(end, zone, faults);
  if (from === null || to === null) return NO_RANGE;
  if (from > to.last) {
    const field = typeof start === 'object' ? start.field : fieldIn(prefix, 'startDate');
    faults.addDate(field, `The start ${boundText(start)} lies after the end ${boundText(end)}.`);
  }
  return { from, to: to.end };
}

function boundText(bound: Bound): string {
  return typeof bound === 'object' ? bound.text : 'of the preset';
}

function startInstant(bound: Bound, zone: Zone, faults: Faults): number | null {
  if (typeof bound !== 'object') return bound ?? null;
  const date = readDate(bound.text, bound.field, faults);
  if (date === null) return null;
  return date.kind === 'instant' ? date.instant : zone.instantOf(date.local);
}

/** `end`: the first instant after the range; `last`: the latest start that is not after the end. */
interface EndInstants {
  readonly end: number;
  readonly last: number;
}

function endInstants(bound: Bound, zone: Zone, faults: Faults): EndInstants | null {
  if (bound === undefined) return null;
  if (typeof bound === 'number') return { end: bound, last: bound - 1 };
  const date = readDate(bound.text, bound.field, faults);
  if (date === null) return null;
  if (date.kind === 'day') {
    const end = endOfDay(zone, date.local);
    // A day that the zone skipped is empty; it does not make a start on that day late.
    return { end, last: Math.max(end - 1, zone.instantOf(date.local)) };
  }
  const end = date.kind === 'instant' ? date.instant : zone.instantOf(date.local);
  return { end, last: end };
}

function endOfDay(zone: Zone, day: LocalTime): number {
  return zone.instantOf(day + DAY_MS);
}

type RealDate = Exclude<DateText, { kind: 'malformed' | 'impossible' }>;

/** Its faults are added. */
export function readDate(text: string, field: string, faults: Faults): RealDate | null {
  const date = readDateText(text);
  switch (date.kind) {
    case 'malformed':
      faults.add(field, date.message);
      return null;
    case 'impossible':
      faults.addDate(field, date.message);
      return null;
    default:
      return date;
  }
}
