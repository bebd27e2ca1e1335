/** The measures and event scopes that datasets share, so that a pageview or a visitor is defined once. */
import { RESERVED_EVENT_NAMES } from '../../shared/model/event-record.ts';
import type { EventScope, Measure } from './dataset.ts';

/** Name of the event that is a pageview. */
export const PAGEVIEW_EVENT = 'screen_view';

export const ALL_EVENTS: EventScope = { events: 'all' };
export const PAGEVIEW_EVENTS: EventScope = { events: 'only', names: [PAGEVIEW_EVENT] };
export const CUSTOM_EVENTS: EventScope = { events: 'except', names: RESERVED_EVENT_NAMES };

export const EVENTS: Measure = { kind: 'count' };
export const PAGEVIEWS: Measure = { kind: 'count', where: { column: 'event_name', is: PAGEVIEW_EVENT } };
export const VISITORS: Measure = { kind: 'distinct', column: 'anonymous_id' };
export const SESSIONS: Measure = { kind: 'sessions' };
/** Sessions with exactly one pageview. */
export const BOUNCES: Measure = { kind: 'sessions', pageviews: 1 };
export const SESSION_DURATION: Measure = { kind: 'sessionDuration' };
/** Distinct session identifiers, for datasets that need nothing else of a session. */
export const SESSION_IDS: Measure = { kind: 'distinct', column: 'session_id' };
export const EVENT_NAMES: Measure = { kind: 'distinct', column: 'event_name' };
export const PATHS: Measure = { kind: 'distinct', column: 'path' };
export const FIRST_EVENT: Measure = { kind: 'first' };
export const LAST_EVENT: Measure = { kind: 'last' };
/** Events whose properties hold at least one key. */
export const EVENTS_WITH_PROPERTIES: Measure = {
  kind: 'count',
  where: { column: 'properties', presentAndNot: ['{}'] },
};
