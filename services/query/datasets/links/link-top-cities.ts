/** Dataset: cities of clicks on short links. */
import { count, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { dimension } from '../../catalogue/dimensions.ts';
import { LINK_FILTERS } from '../../catalogue/event-filters.ts';
import { EVENTS, LINK_EVENTS } from '../../catalogue/measures.ts';

export const linkTopCities: Dataset = {
  names: ['link_top_cities'],
  description: 'Clicks on short links by city.',
  kind: 'list',
  unit: 'events',
  scope: LINK_EVENTS,
  ofLinks: true,
  filters: LINK_FILTERS,
  dimensions: [dimension('name', 'city'), dimension('country')],
  extraDimensions: LINK_FILTERS,
  measures: {
    clicks: EVENTS,
  },
  columns: [
    text('name', 'The city.'),
    text('country', 'Code of the country (ISO 3166-1 alpha-2).'),
    count('clicks', 'Clicks from there.'),
  ],
  order: { column: 'clicks', direction: 'desc' },
  defaultLimit: 10,
};
