/** Dataset: the totals of sessions. */
import { count, percent, quantile } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { ALL_EVENTS, BOUNCES, EVENTS, SESSION_DURATION, SESSIONS, VIEWED } from '../../catalogue/measures.ts';

export const sessionMetrics: Dataset = {
  names: ['session_metrics'],
  description: 'Totals of the sessions with a pageview.',
  kind: 'row',
  unit: 'events',
  scope: ALL_EVENTS,
  sessions: VIEWED,
  filters: EVENT_FILTERS,
  dimensions: [],
  extraDimensions: [],
  measures: {
    sessions: SESSIONS,
    bounces: BOUNCES,
    duration: SESSION_DURATION,
    events: EVENTS,
  },
  columns: [
    count('total_sessions', 'Distinct sessions with a pageview.', 'sessions'),
    quantile('median_session_duration', 'Median duration of the sessions, in seconds.', 'duration'),
    quantile('avg_session_duration', 'Older name of median_session_duration.', 'duration'),
    percent(
      'bounce_rate',
      'Sessions with exactly one pageview, in percent of sessions.',
      'bounces',
      'sessions',
    ),
    count('total_events', 'All events in range, of every name.', 'events'),
  ],
  order: null,
  defaultLimit: 100,
};
