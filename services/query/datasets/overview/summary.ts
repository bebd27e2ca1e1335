/** Dataset: what happened on a website over time. */
import { bucketDate, count, percent, quantile, ratio } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import {
  ALL_EVENTS,
  BOUNCES,
  PAGEVIEWS,
  SESSION_DURATION,
  SESSIONS,
  VISITORS,
} from '../../catalogue/measures.ts';

export const summary: Dataset = {
  names: ['summary', 'events_by_date'],
  description:
    'Pageviews, visitors and sessions over time. Pageviews and visitors count in every bucket they occur in; a session counts once, in the bucket of its first event in range, with its bounce and duration.',
  kind: 'series',
  unit: 'events',
  scope: ALL_EVENTS,
  filters: EVENT_FILTERS,
  dimensions: [],
  extraDimensions: ['website_id'],
  measures: {
    pageviews: PAGEVIEWS,
    visitors: VISITORS,
    sessions: SESSIONS,
    bounces: BOUNCES,
    duration: SESSION_DURATION,
  },
  columns: [
    bucketDate(),
    count('pageviews', 'Pageviews (screen_view events).'),
    count('visitors', 'Distinct visitors.'),
    count('sessions', 'Sessions whose first event in range lies in the bucket.'),
    percent(
      'bounce_rate',
      'Sessions with exactly one pageview, in percent of sessions.',
      'bounces',
      'sessions',
    ),
    quantile('median_session_duration', 'Median duration of the sessions, in seconds.', 'duration'),
    ratio('pages_per_session', 'Pageviews per session.', 'pageviews', 'sessions'),
  ],
  order: null,
  defaultLimit: 100,
};
