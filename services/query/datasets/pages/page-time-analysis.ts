/** Dataset: the time that sessions spend on pages. */
import { count, quantile, share, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { dimension } from '../../catalogue/dimensions.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { PAGE_EVENTS, PAGE_VISITORS, quantileOf } from '../../catalogue/measures.ts';

export const pageTimeAnalysis: Dataset = {
  names: ['page_time_analysis'],
  description: 'Pages by the sessions whose time on them was measured.',
  kind: 'list',
  unit: 'events',
  scope: PAGE_EVENTS,
  filters: EVENT_FILTERS,
  dimensions: [dimension('name', 'path')],
  extraDimensions: EVENT_FILTERS,
  measures: {
    sessions_with_time: {
      kind: 'distinct',
      column: 'session_id',
      where: { number: 'time_on_page', is: 'present' },
    },
    visitors: PAGE_VISITORS,
    time: quantileOf('time_on_page', 50),
  },
  having: { measure: 'sessions_with_time', atLeast: 1 },
  columns: [
    text('name', 'Path of the page.'),
    count('sessions_with_time', 'Sessions with a measured time on the page.'),
    count('visitors', 'Distinct visitors with a pageview of the page.'),
    quantile('median_time_on_page', 'Median time on the page, in seconds.', 'time'),
    share('sessions_with_time', 'percentage_of_sessions'),
  ],
  order: { column: 'sessions_with_time', direction: 'desc' },
  defaultLimit: 100,
};
