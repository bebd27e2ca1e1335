/** Dataset: countries of the visitors. */
import { text } from '../../catalogue/columns.ts';
import { countryName, dimension } from '../../catalogue/dimensions.ts';
import { pageviewList } from '../../catalogue/pageview-list.ts';

export const countries = pageviewList({
  names: ['countries', 'country'],
  description: 'Countries of the visitors.',
  of: 'country',
  dimensions: [countryName('name'), dimension('country_code', 'country')],
  columns: [
    text('name', 'English name of the country.'),
    text('country_code', 'Code of the country (ISO 3166-1 alpha-2).'),
    text('country_name', 'The same as name.', 'name'),
  ],
});
