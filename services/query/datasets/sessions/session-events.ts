/** Dataset: the events of one session. */
import { z } from 'zod';
import { identifierArgument } from '../../catalogue/arguments.ts';
import { instant, json, seconds, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { detail } from '../../catalogue/dimensions.ts';
import { CUSTOM_EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { ALL_EVENTS, LAST_EVENT } from '../../catalogue/measures.ts';

export const sessionEvents: Dataset = {
  names: ['session_events'],
  description: 'The events of a session one by one, of any name, in the order of their instants.',
  kind: 'list',
  unit: 'eachEvent',
  scope: ALL_EVENTS,
  arguments: z.object({
    sessionId: identifierArgument(256, 'The session, as sessionId of its events.'),
  }),
  onlyWhere: { column: 'session_id', argument: 'sessionId', of: 'event' },
  filters: [...CUSTOM_EVENT_FILTERS, 'title'],
  dimensions: [
    detail('event_name'),
    detail('path'),
    detail('title'),
    detail('referrer'),
    detail('properties'),
  ],
  extraDimensions: [],
  measures: {
    at: LAST_EVENT,
    until_next: { kind: 'untilNext' },
  },
  columns: [
    instant('timestamp', 'Instant of the event.', 'at'),
    text('event_name', 'Name of the event.'),
    text('path', 'Path of the page, or null.'),
    text('title', 'Title of the page, or null.'),
    text('referrer', 'Referrer as sent, or null.'),
    json('properties', 'Properties of the event, or null.'),
    seconds(
      'until_next',
      'Seconds until the next event of the session in range, whatever the filters; null for the last one.',
    ),
  ],
  order: { column: 'timestamp', direction: 'asc' },
  defaultLimit: 100,
};
