/** Dataset: the totals of errors. */
import { count } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { ERROR_FILTERS } from '../../catalogue/event-filters.ts';
import { ERROR_EVENTS, EVENTS, SESSION_IDS, VISITORS } from '../../catalogue/measures.ts';

export const errorSummary: Dataset = {
  names: ['error_summary'],
  description: 'Totals of the errors in range.',
  kind: 'row',
  unit: 'events',
  scope: ERROR_EVENTS,
  filters: ERROR_FILTERS,
  dimensions: [],
  extraDimensions: [],
  measures: {
    total_errors: EVENTS,
    unique_errors: { kind: 'distinct', column: 'message' },
    affected_users: VISITORS,
    affected_sessions: SESSION_IDS,
  },
  columns: [
    count('total_errors', 'Errors.'),
    count('unique_errors', 'Distinct messages.'),
    count('affected_users', 'Distinct visitors who met one.'),
    count('affected_sessions', 'Distinct sessions with one.'),
  ],
  order: null,
  defaultLimit: 100,
};
