/** Dataset: errors over time. */
import { bucketDate, count } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { ERROR_FILTERS } from '../../catalogue/event-filters.ts';
import { ERROR_EVENTS, EVENTS, SESSION_IDS, VISITORS } from '../../catalogue/measures.ts';

export const errorsOverTime: Dataset = {
  names: ['errors_over_time'],
  description: 'Errors over time, with the visitors who met them and the sessions that had them.',
  kind: 'series',
  unit: 'events',
  scope: ERROR_EVENTS,
  filters: ERROR_FILTERS,
  dimensions: [],
  extraDimensions: ['website_id'],
  measures: {
    errors: EVENTS,
    users: VISITORS,
    sessions: SESSION_IDS,
  },
  columns: [
    bucketDate(),
    count('errors', 'Errors in the bucket.'),
    count('users', 'Distinct visitors who met one in the bucket.'),
    count('sessions', 'Distinct sessions with one in the bucket.'),
  ],
  order: null,
  defaultLimit: 100,
};
