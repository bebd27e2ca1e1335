/** Dataset: the visitors one by one. */
import { count, found, instant, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { detail, FIRST_REFERRER, firstText } from '../../catalogue/dimensions.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import {
  ALL_EVENTS,
  EVENTS,
  FIRST_EVENT,
  LAST_EVENT,
  PAGE_PATHS,
  SESSION_IDS,
} from '../../catalogue/measures.ts';

export const profiles: Dataset = {
  names: ['profiles', 'profile_list'],
  description: 'Visitors, the latest first.',
  kind: 'list',
  unit: 'events',
  scope: ALL_EVENTS,
  needs: 'anonymous_id',
  filters: EVENT_FILTERS,
  dimensions: [detail('visitor_id', 'anonymous_id')],
  extraDimensions: [],
  measures: {
    profile_id: firstText('profile_id', null),
    first: FIRST_EVENT,
    last: LAST_EVENT,
    session_count: SESSION_IDS,
    total_events: EVENTS,
    unique_pages: PAGE_PATHS,
    country: firstText('country'),
    device_type: firstText('device_type'),
    browser_name: firstText('browser_name'),
    os_name: firstText('os_name'),
    referrer: FIRST_REFERRER,
  },
  columns: [
    text('visitor_id', 'Identifier of the visitor.'),
    found('profile_id', 'Identifier of the first profile; null when the visitor is not identified.'),
    instant('first_visit', 'Instant of the first event in range.', 'first'),
    instant('last_visit', 'Instant of the last event in range.', 'last'),
    count('session_count', 'Distinct sessions.'),
    count('total_events', 'Events of the visitor, of every name.'),
    count('unique_pages', 'Distinct paths of pageviews.'),
    found('country', 'Code of the country (ISO 3166-1 alpha-2).'),
    found('device_type', 'Type of the device.'),
    found('browser_name', 'Browser.'),
    found('os_name', 'Operating system.'),
    found('referrer', 'First referrer from elsewhere, or Direct.'),
  ],
  order: { column: 'last_visit', direction: 'desc' },
  defaultLimit: 25,
};
