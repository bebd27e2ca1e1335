/** Dataset: sessions by browser. */
import { count, quantile, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { dimension, ofSession } from '../../catalogue/dimensions.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import {
  ALL_EVENTS,
  SESSION_DURATION,
  SESSION_VISITORS,
  SESSIONS,
  VIEWED,
} from '../../catalogue/measures.ts';

export const sessionsByBrowser: Dataset = {
  names: ['sessions_by_browser'],
  description: 'Sessions with a pageview by browser: that of the first event that has one.',
  kind: 'list',
  unit: 'sessions',
  scope: ALL_EVENTS,
  sessions: VIEWED,
  filters: EVENT_FILTERS,
  dimensions: [ofSession(dimension('name', 'browser_name'))],
  extraDimensions: EVENT_FILTERS,
  measures: {
    sessions: SESSIONS,
    visitors: SESSION_VISITORS,
    duration: SESSION_DURATION,
  },
  columns: [
    text('name', 'The browser.'),
    count('sessions', 'Distinct sessions.'),
    count('visitors', 'Distinct visitors of these sessions.'),
    quantile('median_session_duration', 'Median duration of the sessions, in seconds.', 'duration'),
  ],
  order: { column: 'sessions', direction: 'desc' },
  defaultLimit: 100,
};
