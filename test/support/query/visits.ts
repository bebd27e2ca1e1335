/** What visitors do in logs written by hand, and what matches it. */
import { type EventFields, eventRecord } from './event.ts';

export const page = (value: string, op = 'eq') => ({ type: 'page', match: { op, value } });
export const event = (value: string) => ({ type: 'event', match: { op: 'eq', value } });

/** A visitor's events in March 2025: `day`, time, and a path or the name of an event. */
export function visit(
  anonymous_id: string,
  events: readonly (readonly [at: string, what: string])[],
  more: Partial<EventFields> = {},
) {
  return events.map(([at, what]) =>
    eventRecord({
      at: `2025-03-${at}${at.length <= 11 ? '.000' : ''}Z`,
      anonymous_id,
      ...(what.startsWith('/') ? { path: what } : { event_name: what, path: '/somewhere' }),
      ...more,
    }),
  );
}
