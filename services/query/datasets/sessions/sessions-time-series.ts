/** Dataset: sessions over time. */
import { bucketDate, count, quantile } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { ALL_EVENTS, PAGE_VISITORS, SESSION_DURATION, SESSIONS, VIEWED } from '../../catalogue/measures.ts';

export const sessionsTimeSeries: Dataset = {
  names: ['sessions_time_series'],
  description:
    'Sessions with a pageview over time; a session counts in the bucket of its first event in range, a visitor in every bucket with a pageview.',
  kind: 'series',
  unit: 'events',
  scope: ALL_EVENTS,
  sessions: VIEWED,
  filters: EVENT_FILTERS,
  dimensions: [],
  extraDimensions: ['website_id'],
  measures: {
    sessions: SESSIONS,
    visitors: PAGE_VISITORS,
    duration: SESSION_DURATION,
  },
  columns: [
    bucketDate(),
    count('sessions', 'Sessions whose first event in range lies in the bucket.'),
    count('visitors', 'Distinct visitors with a pageview in the bucket.'),
    quantile('median_session_duration', 'Median duration of the sessions, in seconds.', 'duration'),
  ],
  order: null,
  defaultLimit: 100,
};
