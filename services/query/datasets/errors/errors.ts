/** Dataset: errors one by one. */
import { instant, number, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { detail, dimension } from '../../catalogue/dimensions.ts';
import { ERROR_FILTERS } from '../../catalogue/event-filters.ts';
import { ERROR_EVENTS, LAST_EVENT } from '../../catalogue/measures.ts';

export const errors: Dataset = {
  names: ['errors'],
  description: 'Errors one by one, the latest first.',
  kind: 'list',
  unit: 'eachEvent',
  scope: ERROR_EVENTS,
  filters: ERROR_FILTERS,
  dimensions: [
    detail('message'),
    detail('error_type'),
    dimension('path'),
    detail('filename'),
    detail('stack'),
    detail('anonymous_id'),
    detail('session_id'),
    dimension('browser_name'),
    dimension('os_name'),
    dimension('country'),
  ],
  extraDimensions: [],
  measures: {
    at: LAST_EVENT,
    lineno: { kind: 'number', column: 'lineno' },
    colno: { kind: 'number', column: 'colno' },
  },
  columns: [
    text('message', 'Message of the error, or null.'),
    text('error_type', 'Type of the error, or null.'),
    text('path', 'Path of the page.'),
    text('filename', 'File of the code, or null.'),
    number('lineno', 'Line of the code, or null.'),
    number('colno', 'Column of the code, or null.'),
    text('stack', 'Stack, or null.'),
    instant('timestamp', 'Instant of the error.', 'at'),
    text('anonymous_id', 'Visitor, or null.'),
    text('session_id', 'Session, or null.'),
    text('browser_name', 'Browser.'),
    text('os_name', 'Operating system.'),
    text('country', 'Code of the country (ISO 3166-1 alpha-2).'),
  ],
  order: { column: 'timestamp', direction: 'desc' },
  defaultLimit: 50,
};
