/** Dataset: events as they come. */
import { z } from 'zod';
import { cursorArgument } from '../../catalogue/arguments.ts';
import { instant, json, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { detail } from '../../catalogue/dimensions.ts';
import { CUSTOM_EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { ALL_EVENTS, LAST_EVENT } from '../../catalogue/measures.ts';

export const eventsLive: Dataset = {
  names: ['events_live'],
  description:
    'The newest events of the last 30 minutes, of any name, whatever the dates; with the cursor of the answer before, those that came since.',
  kind: 'list',
  unit: 'eachEvent',
  scope: ALL_EVENTS,
  fixedRange: { lastMinutes: 30 },
  arguments: z.object({ cursor: cursorArgument() }),
  feed: { argument: 'cursor' },
  filters: [...CUSTOM_EVENT_FILTERS, 'title'],
  dimensions: [
    detail('event_name'),
    detail('path'),
    detail('title'),
    detail('referrer'),
    detail('country'),
    detail('city'),
    detail('device_type'),
    detail('browser_name'),
    detail('os_name'),
    detail('properties'),
    detail('anonymous_id'),
    detail('session_id'),
  ],
  extraDimensions: [],
  measures: { at: LAST_EVENT },
  columns: [
    instant('timestamp', 'Instant of the event.', 'at'),
    text('event_name', 'Name of the event.'),
    text('path', 'Path of the page, or null.'),
    text('title', 'Title of the page, or null.'),
    text('referrer', 'Referrer as sent, or null.'),
    text('country', 'Code of the country (ISO 3166-1 alpha-2), or null.'),
    text('city', 'City, or null.'),
    text('device_type', 'Type of the device, or null.'),
    text('browser_name', 'Browser, or null.'),
    text('os_name', 'Operating system, or null.'),
    json('properties', 'Properties of the event, or null.'),
    text('anonymous_id', 'Visitor, or null.'),
    text('session_id', 'Session, or null.'),
  ],
  order: { column: 'timestamp', direction: 'desc' },
  defaultLimit: 50,
};
