/** What the numbers of a screen are compared with: as it stands in the address, and as the API takes it. */
import { isDay } from './calendar.ts';

/** The period just before, the same dates a year before, or days of one's own. */
export type OtherPeriod = 'previous' | 'year' | { readonly first: string; readonly last: string };

export interface Comparison {
  readonly period: OtherPeriod;
  /** Whether weekdays lie beside the same weekdays. */
  readonly isByWeekday: boolean;
}

type Parameters = Readonly<Record<string, string | undefined>>;

/** The comparison of an address; undefined: none. */
export function comparisonOf({ compare, align }: Parameters): Comparison | undefined {
  const period = periodOf(compare);
  return period && { period, isByWeekday: align === 'weekday' };
}

function periodOf(text = ''): OtherPeriod | undefined {
  if (text === 'previous' || text === 'year') return text;
  const [first = '', last = '', ...rest] = text.split('..');
  return rest.length === 0 && isDay(first) && isDay(last) && first <= last ? { first, last } : undefined;
}

/** A comparison as it stands in an address. */
export function comparisonParameters(comparison: Comparison | undefined): Parameters {
  if (comparison === undefined) return { compare: undefined, align: undefined };
  const { period, isByWeekday } = comparison;
  return {
    compare: typeof period === 'string' ? period : `${period.first}..${period.last}`,
    align: isByWeekday ? 'weekday' : undefined,
  };
}

/** What a request of the screen says of it. */
export function comparisonFields(comparison: Comparison | undefined): object {
  if (comparison === undefined) return {};
  const { period, isByWeekday } = comparison;
  return {
    compare: typeof period === 'string' ? period : { startDate: period.first, endDate: period.last },
    ...(isByWeekday && { align: 'weekday' }),
  };
}

/**
 * How much a number grew, as a share of what it was: 0.5 is half as much again. Undefined where that says nothing: nothing is compared, or
 * it was 0.
 */
export function changeOf(now: number, before: number | null | undefined): number | undefined {
  return before == null || before === 0 ? undefined : (now - before) / before;
}
