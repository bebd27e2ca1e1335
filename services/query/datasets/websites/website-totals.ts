/** Dataset: the totals of each website. */
import { count, percent, quantile, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { detail, websiteShown } from '../../catalogue/dimensions.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import {
  ALL_EVENTS,
  BOUNCES,
  EVENTS,
  PAGEVIEWS,
  SESSION_DURATION,
  SESSIONS,
  VISITORS,
} from '../../catalogue/measures.ts';

export const websiteTotals: Dataset = {
  names: ['website_totals'],
  description:
    'Totals of each website in reach; without filters, or with those of websites alone, also of those without events. A session that is on two websites counts on both.',
  kind: 'list',
  unit: 'events',
  scope: ALL_EVENTS,
  needs: 'website_id',
  ofWebsites: true,
  filters: EVENT_FILTERS,
  dimensions: [detail('website_id'), websiteShown('name'), websiteShown('domain')],
  extraDimensions: [],
  measures: {
    pageviews: PAGEVIEWS,
    visitors: VISITORS,
    sessions: SESSIONS,
    bounces: BOUNCES,
    duration: SESSION_DURATION,
    events: EVENTS,
  },
  columns: [
    text('website_id', 'Identifier of the website.'),
    text('name', 'Name of the website.'),
    text('domain', 'Domain of the website.'),
    count('pageviews', 'Pageviews (screen_view events).'),
    count('visitors', 'Distinct visitors.'),
    count('sessions', 'Distinct sessions.'),
    percent(
      'bounce_rate',
      'Sessions with exactly one pageview, in percent of sessions.',
      'bounces',
      'sessions',
    ),
    quantile('median_session_duration', 'Median duration of the sessions, in seconds.', 'duration'),
    count('total_events', 'All events, of every name.', 'events'),
  ],
  order: { column: 'pageviews', direction: 'desc' },
  defaultLimit: 100,
};
