/** Dataset: clicks on short links over time. */
import { bucketDate, count } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { LINK_FILTERS } from '../../catalogue/event-filters.ts';
import { EVENTS, LINK_EVENTS } from '../../catalogue/measures.ts';

export const linkClicksByDay: Dataset = {
  names: ['link_clicks_by_day'],
  description: 'Clicks on short links over time.',
  kind: 'series',
  unit: 'events',
  scope: LINK_EVENTS,
  ofLinks: true,
  filters: LINK_FILTERS,
  dimensions: [],
  extraDimensions: ['link_id', 'website_id'],
  measures: {
    clicks: EVENTS,
  },
  columns: [bucketDate(), count('clicks', 'Clicks in the bucket.')],
  order: null,
  defaultLimit: 100,
};
