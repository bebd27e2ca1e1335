/** Dataset: pages with errors. */
import { count, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { dimension } from '../../catalogue/dimensions.ts';
import { ERROR_FILTERS } from '../../catalogue/event-filters.ts';
import { ERROR_EVENTS, EVENTS, VISITORS } from '../../catalogue/measures.ts';

export const errorsByPage: Dataset = {
  names: ['errors_by_page'],
  description: 'Errors by page.',
  kind: 'list',
  unit: 'events',
  scope: ERROR_EVENTS,
  filters: ERROR_FILTERS,
  dimensions: [dimension('name', 'path')],
  extraDimensions: ERROR_FILTERS,
  measures: {
    errors: EVENTS,
    users: VISITORS,
  },
  columns: [
    text('name', 'Path of the page.'),
    count('errors', 'Errors on the page.'),
    count('users', 'Distinct visitors who met one.'),
  ],
  order: { column: 'errors', direction: 'desc' },
  defaultLimit: 100,
};
