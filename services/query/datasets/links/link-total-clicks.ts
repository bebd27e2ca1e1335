/** Dataset: the clicks on short links. */
import { count } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { LINK_FILTERS } from '../../catalogue/event-filters.ts';
import { EVENTS, LINK_EVENTS } from '../../catalogue/measures.ts';

export const linkTotalClicks: Dataset = {
  names: ['link_total_clicks'],
  description: 'Clicks on short links.',
  kind: 'row',
  unit: 'events',
  scope: LINK_EVENTS,
  ofLinks: true,
  filters: LINK_FILTERS,
  dimensions: [],
  extraDimensions: [],
  measures: {
    total: EVENTS,
  },
  columns: [count('total', 'Clicks.')],
  order: null,
  defaultLimit: 100,
};
