/** Which part of a share's range is shown: read from the address, offered as far as it lies within, and told to the API. */
import type { ShownShare } from '../api/wire.ts';
import { endOfDay } from '../texts/days.ts';
import { type Days, dayIn, isDay, lengthOf, PRESETS, type Preset, presetDays } from '../website/calendar.ts';

/** Null: the whole range. */
export type Part = { readonly preset: Preset } | Days | null;
export type Granularity = 'hourly' | 'daily' | 'weekly' | 'monthly';

type Parameters = Readonly<Record<string, string | undefined>>;

/** What a share's range is on the calendar of its zone. */
export interface Frame {
  /** First and last day; no first one of all time. Null: it is between instants, of which no part is offered. */
  readonly days: { readonly first: string | null; readonly last: string } | null;
  /** The date in the zone of the share. */
  readonly today: string;
  readonly hasParts: boolean;
}

export function frameOf({ from, to, timezone, hasParts }: ShownShare, now: number): Frame {
  const last = dayIn(timezone, Date.parse(to) - 1);
  const first = from === null ? null : dayIn(timezone, Date.parse(from));
  // Whole days end a millisecond before the next one, and begin a second after the last one of the day before.
  const ends = endOfDay(last, timezone) ?? 0;
  const begins = from === null || endOfDay(dayIn(timezone, Date.parse(from) - 1), timezone);
  const isWhole =
    ends + 1_000 === Date.parse(to) && (begins === true || begins === Date.parse(from ?? '') - 1_000);
  return { days: isWhole ? { first, last } : null, today: dayIn(timezone, now), hasParts };
}

function isWithin({ days, hasParts }: Frame, { first, last }: Days): boolean {
  return hasParts && days !== null && (days.first === null || first >= days.first) && last <= days.last;
}

/** Named ranges within that of the share, but for the one that is all of it. */
export function presetsOf(frame: Frame): readonly Preset[] {
  return PRESETS.filter((preset) => {
    const days = presetDays(preset, frame.today);
    const isAll = days.first === frame.days?.first && days.last === frame.days.last;
    return !isAll && isWithin(frame, days);
  });
}

/** The part that an address asks for; the whole, where it asks for nothing that there is. */
export function partOf({ range, from, to }: Parameters, frame: Frame): Part {
  const preset = presetsOf(frame).find((each) => each === range);
  if (preset) return { preset };
  if (!from || !to || !isDay(from) || !isDay(to) || from > to) return null;
  const days = { first: from, last: to };
  return isWithin(frame, days) ? days : null;
}

/** A part as it stands in an address. */
export function parametersOf(part: Part): Parameters {
  const none = { range: undefined, from: undefined, to: undefined };
  if (part === null) return none;
  return 'preset' in part ? { ...none, range: part.preset } : { ...none, from: part.first, to: part.last };
}

/** A part as the API takes it. */
export function fieldsOf(part: Part): Readonly<Record<string, string>> {
  if (part === null) return {};
  return 'preset' in part ? { preset: part.preset } : { startDate: part.first, endDate: part.last };
}

/** The days that are shown; null where they are not known, or no whole ones. */
export function daysOf(part: Part, { days, today }: Frame): Days | null {
  if (part !== null) return 'preset' in part ? presetDays(part.preset, today) : part;
  return days === null || days.first === null ? null : { first: days.first, last: days.last };
}

const KNOWN: readonly string[] = ['hourly', 'daily', 'weekly', 'monthly'];

/** The width of the buckets: that of the view for its whole range, else what suits the length. */
export function granularityOf(part: Part, frame: Frame, share: ShownShare): Granularity {
  const wanted = share.granularity ?? '';
  if (part === null && KNOWN.includes(wanted)) return wanted as Granularity;
  if (part === null && frame.days === null) return 'hourly';
  const days = daysOf(part, frame);
  if (days === null) return 'weekly';
  const length = lengthOf(days);
  if (length <= 2) return 'hourly';
  if (length <= 120) return 'daily';
  return length <= 731 ? 'weekly' : 'monthly';
}
