/** The filters of a screen: as they stand in its address, and as the API takes them. */
import { type DimensionName, dimensionOf, fieldOf, isDimension } from './dimensions.ts';

export const OPERATORS = [
  'eq',
  'ne',
  'contains',
  'not_contains',
  'starts_with',
  'matches',
  'missing',
  'present',
] as const;
export type Operator = (typeof OPERATORS)[number];

/**
 * What a filter keeps: the sessions that have a matching event, the visitors that have one, the matching events alone; or all but those
 * sessions, or all but those visitors.
 */
export const REACHES = ['session', 'visitor', 'event', 'no_session', 'no_visitor'] as const;
export type Reach = (typeof REACHES)[number];

export interface Filter {
  readonly dimension: DimensionName;
  readonly operator: Operator;
  /** Empty of `missing` and `present`. */
  readonly value: string;
  readonly of: Reach;
}

/** As many as the API takes. */
export const MOST_FILTERS = 20;

/** Operators that compare with nothing. */
export function needsValue(operator: Operator): boolean {
  return operator !== 'missing' && operator !== 'present';
}

/** Whether a filter keeps what has no matching event. */
export function isWithout(of: Reach): boolean {
  return of.startsWith('no_');
}

/** What a filter by a dimension may keep. */
export function reachesOf(dimension: DimensionName): readonly Reach[] {
  const { isOfSession, isWholeOnly } = dimensionOf(dimension);
  if (isOfSession) return ['session', 'no_session'];
  return isWholeOnly ? REACHES.filter((each) => each !== 'event') : REACHES;
}

/** A filter as the API takes it. */
export function filterField({ dimension, operator, value, of }: Filter): object {
  const { isOfSession } = dimensionOf(dimension);
  const field = {
    field: fieldOf(dimension),
    op: operator,
    ...(needsValue(operator) && { value }),
    ...(!isOfSession && of !== 'event' && { of: of.replace('no_', '') }),
  };
  return isWithout(of) ? { not: field } : field;
}

/** What a request of the screen says of its filters. */
export function filterFields(filters: readonly Filter[]): { filters?: readonly object[] } {
  return filters.length === 0 ? {} : { filters: filters.map(filterField) };
}

/** The filters of an address; what makes no sense is left out. */
export function filtersOf(text: string | undefined): readonly Filter[] {
  let entries: unknown;
  try {
    entries = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry) => filterOf(entry) ?? []).slice(0, MOST_FILTERS);
}

function filterOf(entry: unknown): Filter | undefined {
  if (!Array.isArray(entry)) return undefined;
  const [dimension, operator, value = '', wanted = 'session'] = entry as unknown[];
  if (!isDimension(dimension) || typeof value !== 'string') return undefined;
  const known = OPERATORS.find((each) => each === operator);
  const reaches = reachesOf(dimension);
  const of = reaches.find((each) => each === wanted) ?? reaches[0];
  if (known === undefined || of === undefined || (needsValue(known) && value === '')) return undefined;
  return { dimension, operator: known, value: needsValue(known) ? value : '', of };
}

/** The filters as they stand in an address; undefined: there are none. */
export function filtersText(filters: readonly Filter[]): string | undefined {
  if (filters.length === 0) return undefined;
  return JSON.stringify(
    filters.map(({ dimension, operator, value, of }) => {
      const entry = of === 'session' ? [] : [of];
      return value === '' && entry.length === 0
        ? [dimension, operator]
        : [dimension, operator, value, ...entry];
    }),
  );
}

/** The filters with one more; a filter that is there already stays as it is. */
export function withFilter(filters: readonly Filter[], added: Filter): readonly Filter[] {
  const isThere = filters.some((each) => filtersText([each]) === filtersText([added]));
  return isThere ? filters : [...filters, added];
}

/** The filter of a row that somebody clicks: its sessions, so that bounces, durations and events remain those of whole visits. */
export function rowFilter(dimension: DimensionName, value: string | null): Filter {
  return {
    dimension,
    operator: value === null ? 'missing' : 'eq',
    value: value ?? '',
    of: 'session',
  };
}
