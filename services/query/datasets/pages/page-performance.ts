/** Dataset: how long pages are looked at. */
import { count, mean, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { dimension } from '../../catalogue/dimensions.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { PAGE_EVENTS, PAGE_VISITORS, PAGEVIEWS, sumAndCount } from '../../catalogue/measures.ts';

const [time, timed] = sumAndCount('time_on_page');

export const pagePerformance: Dataset = {
  names: ['page_performance'],
  description: 'Pages by pageviews, with the mean time on them.',
  kind: 'list',
  unit: 'events',
  scope: PAGE_EVENTS,
  filters: EVENT_FILTERS,
  dimensions: [dimension('name', 'path')],
  extraDimensions: EVENT_FILTERS,
  measures: {
    pageviews: PAGEVIEWS,
    visitors: PAGE_VISITORS,
    time,
    timed,
  },
  having: { measure: 'pageviews', atLeast: 1 },
  columns: [
    text('name', 'Path of the page.'),
    count('pageviews', 'Pageviews of the page.'),
    count('visitors', 'Distinct visitors with a pageview of the page.'),
    mean('avg_time_on_page', 'Mean time on the page, in seconds.', 'time', 'timed'),
  ],
  order: { column: 'pageviews', direction: 'desc' },
  defaultLimit: 100,
};
