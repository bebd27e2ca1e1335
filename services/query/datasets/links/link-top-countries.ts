/** Dataset: countries of clicks on short links. */
import { count, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { countryName, dimension } from '../../catalogue/dimensions.ts';
import { LINK_FILTERS } from '../../catalogue/event-filters.ts';
import { EVENTS, LINK_EVENTS } from '../../catalogue/measures.ts';

export const linkTopCountries: Dataset = {
  names: ['link_top_countries'],
  description: 'Clicks on short links by country.',
  kind: 'list',
  unit: 'events',
  scope: LINK_EVENTS,
  ofLinks: true,
  filters: LINK_FILTERS,
  dimensions: [countryName('name'), dimension('country')],
  extraDimensions: LINK_FILTERS,
  measures: {
    clicks: EVENTS,
  },
  columns: [
    text('name', 'English name of the country.'),
    text('country', 'Code of the country (ISO 3166-1 alpha-2).'),
    count('clicks', 'Clicks from there.'),
  ],
  order: { column: 'clicks', direction: 'desc' },
  defaultLimit: 10,
};
