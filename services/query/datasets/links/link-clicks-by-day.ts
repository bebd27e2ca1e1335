/** Dataset: clicks on short links over time. */
import { bucketDate, count } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { EVENTS, LINK_EVENTS } from '../../catalogue/measures.ts';

export const linkClicksByDay: Dataset = {
  names: ['link_clicks_by_day'],
  description: 'Clicks on short links over time.',
  kind: 'series',
  unit: 'events',
  scope: LINK_EVENTS,
  ofLinks: true,
  filters: EVENT_FILTERS,
  dimensions: [],
  extraDimensions: [],
  measures: {
    clicks: EVENTS,
  },
  columns: [bucketDate(), count('clicks', 'Clicks in the bucket.')],
  order: null,
  defaultLimit: 100,
};
