/** The measures and event scopes that datasets share, so that a pageview or a visitor is defined once. */
import { type NumberColumn, RESERVED_EVENT_NAMES } from '../../shared/model/event-record.ts';
import type { EventScope } from './dataset.ts';
import type { Condition, Measure, SessionCondition } from './measure.ts';

/** Name of the event that is a pageview. */
export const PAGEVIEW_EVENT = 'screen_view';

export const ALL_EVENTS: EventScope = { events: 'all' };
export const PAGEVIEW_EVENTS: EventScope = only(PAGEVIEW_EVENT);
/** Pageviews, and the measurements taken when a page is left. */
export const PAGE_EVENTS: EventScope = only(PAGEVIEW_EVENT, 'page_exit');
export const CUSTOM_EVENTS: EventScope = { events: 'except', names: RESERVED_EVENT_NAMES };
export const PAGEVIEWS_AND_CUSTOM_EVENTS: EventScope = {
  events: 'except',
  names: RESERVED_EVENT_NAMES.filter((name) => name !== PAGEVIEW_EVENT),
};
export const ERROR_EVENTS: EventScope = only('error');
export const VITAL_EVENTS: EventScope = only('web_vitals');
export const OUTBOUND_EVENTS: EventScope = only('outgoing_link');
export const LINK_EVENTS: EventScope = only('link_click');

function only(...names: string[]): EventScope {
  return { events: 'only', names };
}

export const IS_PAGEVIEW: Condition = { column: 'event_name', is: PAGEVIEW_EVENT };
/** Sessions with a screen_view, as page, traffic, device, geo and session datasets count them. */
export const VIEWED: SessionCondition = { pageviews: 'some' };

export const EVENTS: Measure = { kind: 'count' };
export const PAGEVIEWS: Measure = { kind: 'count', where: IS_PAGEVIEW };
export const VISITORS: Measure = { kind: 'distinct', column: 'anonymous_id' };
/** Visitors with a pageview, for datasets that also include other events. */
export const PAGE_VISITORS: Measure = { kind: 'distinct', column: 'anonymous_id', where: IS_PAGEVIEW };
export const SESSIONS: Measure = { kind: 'sessions' };
/** Sessions with exactly one pageview. */
export const BOUNCES: Measure = { kind: 'sessions', where: { pageviews: 'one' } };
/** The median duration of sessions. */
export const SESSION_DURATION: Measure = { kind: 'sessionDuration', percent: 50 };
export const SESSION_VISITORS: Measure = { kind: 'sessionVisitors' };
export const SESSION_PAGEVIEWS: Measure = { kind: 'sessionPageviews' };
/** Distinct session identifiers, for datasets that need nothing else about a session. */
export const SESSION_IDS: Measure = { kind: 'distinct', column: 'session_id' };
export const EVENT_NAMES: Measure = { kind: 'distinct', column: 'event_name' };
export const PATHS: Measure = { kind: 'distinct', column: 'path' };
export const PAGE_PATHS: Measure = { kind: 'distinct', column: 'path', where: IS_PAGEVIEW };
export const FIRST_EVENT: Measure = { kind: 'first' };
export const LAST_EVENT: Measure = { kind: 'last' };
export const FIRST_PAGEVIEW: Measure = { kind: 'first', where: IS_PAGEVIEW };
export const LAST_PAGEVIEW: Measure = { kind: 'last', where: IS_PAGEVIEW };
/** In a list of pages, the sessions that enter by the page, those of them with one pageview, and those that leave by it. */
export const PAGE_SESSIONS = {
  entries: { kind: 'sessionsBy', page: 'first' },
  bounces: { kind: 'sessionsBy', page: 'first', where: { pageviews: 'one' } },
  exits: { kind: 'sessionsBy', page: 'last' },
} as const satisfies Readonly<Record<string, Measure>>;
/** Events with at least one property. */
export const EVENTS_WITH_PROPERTIES: Measure = {
  kind: 'count',
  where: { column: 'properties', presentAndNot: ['{}'] },
};

/** The parts of a mean: the sum of a number, and how many events have it. */
export function sumAndCount(column: NumberColumn): readonly [sum: Measure, count: Measure] {
  return [
    { kind: 'sum', column },
    { kind: 'count', where: { number: column, is: 'present' } },
  ];
}

/** A quantile of a number, by percent: 50 is the median. */
export function quantileOf(column: NumberColumn, percent: number): Measure {
  return { kind: 'quantile', column, percent };
}
