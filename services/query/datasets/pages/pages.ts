/** Dataset: which pages were viewed. */
import { count, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { dimension } from '../../catalogue/dimensions.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { EVENTS, PAGEVIEW_EVENTS, VISITORS } from '../../catalogue/measures.ts';

export const pages: Dataset = {
  names: ['pages'],
  description: 'Pages by pageviews.',
  kind: 'list',
  unit: 'events',
  scope: PAGEVIEW_EVENTS,
  filters: EVENT_FILTERS,
  dimensions: [dimension('path')],
  extraDimensions: EVENT_FILTERS,
  measures: { pageviews: EVENTS, visitors: VISITORS },
  columns: [
    text('path', 'Path of the page.'),
    count('pageviews', 'Pageviews of the page.'),
    count('visitors', 'Distinct visitors of the page.'),
  ],
  order: { column: 'pageviews', direction: 'desc' },
  defaultLimit: 100,
};
