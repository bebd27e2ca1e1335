/** Dataset: the totals of today. */
import { count } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { ALL_EVENTS, PAGEVIEWS, SESSIONS, VISITORS } from '../../catalogue/measures.ts';

export const todayMetrics: Dataset = {
  names: ['today_metrics'],
  description: 'Totals of today in the timezone, whatever the dates.',
  kind: 'row',
  unit: 'events',
  scope: ALL_EVENTS,
  fixedRange: { preset: 'today' },
  filters: EVENT_FILTERS,
  dimensions: [],
  extraDimensions: [],
  measures: {
    pageviews: PAGEVIEWS,
    visitors: VISITORS,
    sessions: SESSIONS,
  },
  columns: [
    count('pageviews', 'Pageviews (screen_view events) of today.'),
    count('visitors', 'Distinct visitors of today.'),
    count('sessions', 'Distinct sessions of today.'),
  ],
  order: null,
  defaultLimit: 100,
};
