/** Dataset: the sessions one by one. */
import { count, found, instant, span, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { detail, FIRST_REFERRER, firstText } from '../../catalogue/dimensions.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { ALL_EVENTS, FIRST_EVENT, LAST_EVENT, PAGEVIEWS } from '../../catalogue/measures.ts';

export const sessions: Dataset = {
  names: ['sessions', 'session_list'],
  description: 'Sessions with a pageview, the latest first.',
  kind: 'list',
  unit: 'events',
  scope: ALL_EVENTS,
  needs: 'session_id',
  filters: EVENT_FILTERS,
  dimensions: [detail('session_id')],
  extraDimensions: [],
  measures: {
    first: FIRST_EVENT,
    last: LAST_EVENT,
    page_views: PAGEVIEWS,
    visitor_id: firstText('anonymous_id', null),
    country: firstText('country'),
    referrer: FIRST_REFERRER,
    device_type: firstText('device_type'),
    browser_name: firstText('browser_name'),
    os_name: firstText('os_name'),
  },
  having: { measure: 'page_views', atLeast: 1 },
  columns: [
    text('session_id', 'Identifier of the session.'),
    instant('first_visit', 'Instant of the first event in range.', 'first'),
    instant('last_visit', 'Instant of the last event in range.', 'last'),
    span('duration', 'Seconds from the first event in range to the last.', 'first', 'last'),
    count('page_views', 'Pageviews of the session.'),
    found('visitor_id', 'Identifier of the visitor; null when no event names one.'),
    found('country', 'Code of the country (ISO 3166-1 alpha-2).'),
    found('referrer', 'First referrer from elsewhere, or Direct.'),
    found('device_type', 'Type of the device.'),
    found('browser_name', 'Browser.'),
    found('os_name', 'Operating system.'),
  ],
  order: { column: 'last_visit', direction: 'desc' },
  defaultLimit: 25,
};
