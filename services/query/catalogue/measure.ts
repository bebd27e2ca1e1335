/** The closed set of what the SQL computes: counts, instants, texts and integers, so that the order of events changes nothing. */
import type { NumberColumn, TextColumn } from '../../shared/model/event-record.ts';
import type { Text } from './text.ts';

/** A condition on an event. A text is present when it is neither missing nor empty. */
export type Condition =
  | { readonly column: TextColumn; readonly is: string }
  | { readonly column: TextColumn; readonly presentAndNot: readonly string[] }
  /** The number is present. */
  | { readonly number: NumberColumn; readonly is: 'present' }
  /** The number lies in the range that is listed for the event's text; for other texts in none. */
  | {
      readonly number: NumberColumn;
      readonly of: TextColumn;
      readonly ranges: Readonly<Record<string, Range>>;
    };

/** Numbers above one bound, up to and including the other. */
export interface Range {
  readonly above?: number;
  readonly upTo?: number;
}

/** A condition on a session: how many of these events it has. */
export type SessionCondition =
  /** Events that are pageviews. */
  | { readonly pageviews: 'one' | 'some' }
  /** Events with at least one interaction. */
  | { readonly interactions: 'some' };

/**
 * Measures of events, except those that name sessions. In a series a session belongs to the bucket of its first event in
 * range. Numbers are measured in thousandths, see {@link thousandths}.
 */
export type Measure =
  | { readonly kind: 'count'; readonly where?: Condition }
  /** Distinct non-empty texts. */
  | { readonly kind: 'distinct'; readonly column: TextColumn; readonly where?: Condition }
  /** The instant of the first or last event. */
  | { readonly kind: 'first' | 'last'; readonly where?: Condition }
  /** The text of the first or last event that has one; for two events at one instant, the smaller text counts as first. */
  | { readonly kind: 'text'; readonly text: Text; readonly at: 'first' | 'last' }
  /** The sum of a number, in thousandths. */
  | { readonly kind: 'sum'; readonly column: NumberColumn }
  /** The sum of a property that is a number, in thousandths. */
  | { readonly kind: 'propertySum'; readonly property: string }
  /** The neighbours of a quantile among the numbers present, in thousandths, and how many numbers there are. */
  | { readonly kind: 'quantile'; readonly column: NumberColumn; readonly percent: number }
  /** The number itself, where each event is a row. */
  | { readonly kind: 'number'; readonly column: NumberColumn }
  /**
   * Milliseconds until the next event of its session in the range and reach, whatever the filters, where each event is a
   * row of a session; null for the last one.
   */
  | { readonly kind: 'untilNext' }
  /** The number of sessions. */
  | { readonly kind: 'sessions'; readonly where?: SessionCondition }
  /**
   * In a list of pages, the sessions that enter or leave by the page of the row: that of their first or last pageview that
   * has one. Such a list has no other measures of sessions.
   */
  | { readonly kind: 'sessionsBy'; readonly page: 'first' | 'last'; readonly where?: SessionCondition }
  /** How often sessions reached the goal of the parameter, or what that was worth, in thousandths; null: it is worth nothing. */
  | { readonly kind: 'sessionGoal'; readonly of: 'reached' | 'worth' }
  /** The pageviews of sessions. */
  | { readonly kind: 'sessionPageviews' }
  /** Distinct visitors of sessions; a session's visitor is the first one that its events name. */
  | { readonly kind: 'sessionVisitors' }
  /** Like a quantile: the time between a session's first and last event, in milliseconds (thousandths of a second). */
  | { readonly kind: 'sessionDuration'; readonly percent: number }
  /** What the statement of a sequence returns under the name; with `percent`, the neighbours of a quantile. */
  | { readonly kind: 'ofSequence' }
  | { readonly kind: 'ofSequence'; readonly percent: number };

/** Larger numbers, positive or negative, are clamped to this. */
export const LARGEST_NUMBER = 1_000_000_000;

/**
 * A number of an event as an integer, so that sums depend neither on their order nor on the engine. An engine must take
 * exactly these steps on doubles.
 */
export function thousandths(number: number): number {
  const bounded = Math.min(Math.max(number, -LARGEST_NUMBER), LARGEST_NUMBER);
  return Math.floor(bounded * 1_000 + 0.5);
}

const SESSION_KINDS: ReadonlySet<Measure['kind']> = new Set([
  'sessions',
  'sessionPageviews',
  'sessionGoal',
  'sessionVisitors',
  'sessionDuration',
  'sessionsBy',
]);

export function isOfSessions(measure: Measure): boolean {
  return SESSION_KINDS.has(measure.kind);
}
