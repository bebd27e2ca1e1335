/** Measures over events, in the plainest way that their definitions allow. */
import type {
  EventRecord,
  NumberColumn,
  TextColumn,
} from '../../../../services/shared/model/event-record.ts';

export type Cell = string | number | object | null;
export type Row = Record<string, Cell>;
export type Events = readonly EventRecord[];

export const isPageview = (event: EventRecord): boolean => event.event_name === 'screen_view';

export function pageviewsOf(events: Events): number {
  return events.filter(isPageview).length;
}

export function visitorsOf(events: Events): number {
  return distinct(events, 'anonymous_id');
}

/** Distinct texts that are neither missing nor empty. */
export function distinct(events: Events, column: TextColumn): number {
  return new Set(events.map((event) => event[column]).filter(Boolean)).size;
}

export function percent(of: number, by: number): number {
  return ratio(of * 100, by);
}

/** Two decimals, half away from zero; 0 per nothing. */
export function ratio(of: number, by: number): number {
  // Multiplied first: an exact half stays one.
  return by === 0 ? 0 : Math.round((of * 100) / by) / 100;
}

function numbersOf(events: Events, column: NumberColumn): number[] {
  // In thousandths, so that sums are exact.
  return events.flatMap((event) => (event[column] === null ? [] : [Math.round(event[column] * 1000)]));
}

export function mean(events: Events, column: NumberColumn): number {
  const numbers = numbersOf(events, column);
  return ratio(
    numbers.reduce((sum, number) => sum + number, 0),
    1000 * numbers.length,
  );
}

/** The quantile of a column with linear interpolation; 0 of nothing. */
export function quantile(events: Events, column: NumberColumn, share: number, decimals = 2): number {
  return quantileOf(numbersOf(events, column), share, decimals);
}

/** Of thousandths. */
export function quantileOf(thousandths: readonly number[], hundredths: number, decimals = 2): number {
  const sorted = [...thousandths].sort((a, b) => a - b);
  if (sorted.length === 0) return 0;
  const place = (sorted.length - 1) * hundredths;
  const lower = sorted[Math.floor(place / 100)] ?? 0;
  const upper = sorted[Math.ceil(place / 100)] ?? 0;
  // A hundred times the value, in integers until the last step.
  const value = lower * (100 - (place % 100)) + upper * (place % 100);
  const scale = 10 ** decimals;
  return Math.round((value * scale) / 100_000) / scale;
}

export function firstInstant(events: Events): number {
  return Math.min(...events.map((event) => event.timestamp));
}

export function lastInstant(events: Events): number {
  return Math.max(...events.map((event) => event.timestamp));
}

export function iso(instant: number): string {
  return new Date(instant).toISOString();
}

/** The text of the first or last event that has one; at one instant the lesser text is the first. */
export function textAt(
  events: Events,
  at: 'first' | 'last',
  read: (event: EventRecord) => string | null,
): string | null {
  const found = events
    .flatMap((event) => {
      const text = read(event);
      return text ? [{ instant: event.timestamp, text }] : [];
    })
    .sort((a, b) => a.instant - b.instant || compareText(a.text, b.text));
  return (at === 'first' ? found[0] : found.at(-1))?.text ?? null;
}

/** Groups in no particular order. */
export function groupBy(events: Events, key: (event: EventRecord) => string): EventRecord[][] {
  const groups = new Map<string, EventRecord[]>();
  for (const event of events) groups.set(key(event), [...(groups.get(key(event)) ?? []), event]);
  return [...groups.values()];
}

/** By the bytes of UTF-8, as stores compare. */
export function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Orders rows by a measure, the most first, then by names ascending. */
export function mostFirst(rows: readonly Row[], measure: string, ...names: string[]): Row[] {
  return [...rows].sort((a, b) => {
    const more = Number(b[measure]) - Number(a[measure]);
    if (more !== 0) return more;
    return names.reduce((order, name) => order || compareText(String(a[name]), String(b[name])), 0);
  });
}

/** The referrer as sent, unless it is of the own domain. */
export function referrerOf(event: EventRecord): string | null {
  return event.referrer_group === 'direct' ? null : event.referrer;
}

export function referrerHostOf(event: EventRecord): string {
  return event.referrer_group === 'direct' ? 'Direct' : event.referrer_host || 'Direct';
}

const COUNTRIES: Readonly<Record<string, string>> = { DE: 'Germany', FR: 'France', AT: 'Austria' };

/** The few countries that tests generate. */
export function countryName(code: string): string {
  return COUNTRIES[code] ?? code;
}
