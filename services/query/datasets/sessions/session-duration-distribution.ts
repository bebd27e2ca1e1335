/** Dataset: how long sessions last. */
import { band, count } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { ALL_EVENTS, SESSION_VISITORS, SESSIONS, VIEWED } from '../../catalogue/measures.ts';

export const sessionDurationDistribution: Dataset = {
  names: ['session_duration_distribution'],
  description: 'Sessions with a pageview by their duration, a row for each range, zeros included.',
  kind: 'list',
  unit: 'sessions',
  scope: ALL_EVENTS,
  sessions: VIEWED,
  filters: EVENT_FILTERS,
  dimensions: [],
  bands: [
    { label: '0-30s', below: 30_000 },
    { label: '30s-1m', below: 60_000 },
    { label: '1m-5m', below: 300_000 },
    { label: '5m-15m', below: 900_000 },
    { label: '15m-1h', below: 3_600_000 },
    { label: '1h+', below: Number.POSITIVE_INFINITY },
  ],
  extraDimensions: [],
  measures: {
    sessions: SESSIONS,
    visitors: SESSION_VISITORS,
  },
  columns: [
    band('duration_range', 'Range of durations: from the first, up to but without the second.'),
    count('sessions', 'Sessions that last so long.'),
    count('visitors', 'Distinct visitors of these sessions.'),
  ],
  order: { column: 'duration_range', direction: 'asc' },
  defaultLimit: 100,
};
