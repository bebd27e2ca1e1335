/** The range of a custom query: two dates, one date, or none for everything. */
import type { Faults } from '../stages/faults.ts';
import { readDateText } from '../time/date-text.ts';
import { DAY_MS, type Zone } from '../time/zone.ts';

/** A date with the field that it was given in. */
export interface DateField {
  readonly field: string;
  readonly text: string;
}

/** Instants from `from` up to, but excluding, `to`; null: unbounded. */
export interface OpenRange {
  readonly from: number | null;
  readonly to: number | null;
}

/** An end day is inclusive, an end date-time is that instant; without offset both are in the zone. */
export function readRange(
  start: DateField | null,
  end: DateField | null,
  zone: Zone,
  faults: Faults,
): OpenRange {
  const from = start === null ? null : readBound(start, zone, faults, 0);
  const to = end === null ? null : readBound(end, zone, faults, DAY_MS);
  if (start !== null && end !== null && from !== null && to !== null && start.text !== end.text) {
    // A day ends before the instant `to`; a date-time is that instant.
    const isAfter = readDateText(end.text).kind === 'day' ? from >= to : from > to;
    if (isAfter) faults.addDate(start.field, `The start ${start.text} lies after the end ${end.text}.`);
  }
  return { from, to };
}

/** `dayMs`: what is added to a whole day, in wall-clock time. */
function readBound({ field, text }: DateField, zone: Zone, faults: Faults, dayMs: number): number | null {
  const date = readDateText(text);
  switch (date.kind) {
    case 'malformed':
      faults.add(field, date.message);
      return null;
    case 'impossible':
      faults.addDate(field, date.message);
      return null;
    case 'day':
      return zone.instantOf(date.local + dayMs);
    case 'local':
      return zone.instantOf(date.local);
    case 'instant':
      return date.instant;
  }
}
