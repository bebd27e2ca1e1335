/** Dataset: errors by message. */
import { count, instant, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { dimension } from '../../catalogue/dimensions.ts';
import { ERROR_FILTERS } from '../../catalogue/event-filters.ts';
import { ERROR_EVENTS, EVENTS, FIRST_EVENT, LAST_EVENT, VISITORS } from '../../catalogue/measures.ts';

export const errorTypes: Dataset = {
  names: ['error_types'],
  description: 'Errors by message.',
  kind: 'list',
  unit: 'events',
  scope: ERROR_EVENTS,
  filters: ERROR_FILTERS,
  dimensions: [dimension('name', 'message')],
  extraDimensions: ERROR_FILTERS,
  measures: {
    count: EVENTS,
    users: VISITORS,
    first: FIRST_EVENT,
    last: LAST_EVENT,
  },
  columns: [
    text('name', 'Message of the error.'),
    count('count', 'Errors with the message.'),
    count('users', 'Distinct visitors who met it.'),
    instant('first_seen', 'Instant of the first one in range.', 'first'),
    instant('last_seen', 'Instant of the last one in range.', 'last'),
  ],
  order: { column: 'count', direction: 'desc' },
  defaultLimit: 100,
};
