/** Dataset: the totals of a website over the whole range. */
import { count, percent, quantile, ratio } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
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

export const summaryMetrics: Dataset = {
  names: ['summary_metrics'],
  description: 'Totals of the range: pageviews, visitors, sessions, bounces, durations and all events.',
  kind: 'row',
  unit: 'events',
  scope: ALL_EVENTS,
  filters: EVENT_FILTERS,
  dimensions: [],
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
    count('pageviews', 'Pageviews (screen_view events).'),
    count('unique_visitors', 'Distinct visitors.', 'visitors'),
    count('visitors', 'The same as unique_visitors.'),
    count('sessions', 'Distinct sessions.'),
    percent(
      'bounce_rate',
      'Sessions with exactly one pageview, in percent of sessions.',
      'bounces',
      'sessions',
    ),
    quantile('median_session_duration', 'Median duration of the sessions, in seconds.', 'duration'),
    quantile('avg_session_duration', 'Older name of median_session_duration.', 'duration'),
    count('total_events', 'All events, of every name.', 'events'),
    ratio('pages_per_session', 'Pageviews per session.', 'pageviews', 'sessions'),
  ],
  order: null,
  defaultLimit: 100,
};
