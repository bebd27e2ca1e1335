/** Dataset: what happens now. */
import { count } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { ALL_EVENTS, EVENTS, PAGEVIEWS, SESSION_IDS, VISITORS } from '../../catalogue/measures.ts';

export const activeNow: Dataset = {
  names: ['active_now'],
  description: 'Visitors, sessions, pageviews and events of the last 5 minutes, whatever the dates.',
  kind: 'row',
  unit: 'events',
  scope: ALL_EVENTS,
  fixedRange: { lastMinutes: 5 },
  filters: EVENT_FILTERS,
  dimensions: [],
  extraDimensions: [],
  measures: {
    visitors: VISITORS,
    sessions: SESSION_IDS,
    pageviews: PAGEVIEWS,
    total_events: EVENTS,
  },
  columns: [
    count('visitors', 'Distinct visitors with an event of any name.'),
    count('sessions', 'Distinct sessions with an event of any name.'),
    count('pageviews', 'Pageviews (screen_view events).'),
    count('total_events', 'All events, of every name.'),
  ],
  order: null,
  defaultLimit: 100,
};
