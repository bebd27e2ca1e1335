/** Dataset: who is active now. */
import { count } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { ALL_EVENTS, SESSION_IDS, VISITORS } from '../../catalogue/measures.ts';

export const activeStats: Dataset = {
  names: ['active_stats'],
  description: 'Who sent an event in the last 5 minutes, whatever the dates.',
  kind: 'row',
  unit: 'events',
  scope: ALL_EVENTS,
  fixedRange: { lastMinutes: 5 },
  filters: EVENT_FILTERS,
  dimensions: [],
  extraDimensions: [],
  measures: {
    active_users: VISITORS,
    active_sessions: SESSION_IDS,
  },
  columns: [
    count('active_users', 'Distinct visitors of the last 5 minutes.'),
    count('active_sessions', 'Distinct sessions of the last 5 minutes.'),
  ],
  order: null,
  defaultLimit: 100,
};
