/** Dataset: cities of the visitors. */
import { dimension } from '../../catalogue/dimensions.ts';
import { pageviewList } from '../../catalogue/pageview-list.ts';

export const cities = pageviewList({
  names: ['cities', 'city'],
  description: 'Cities of the visitors.',
  of: 'city',
  dimensions: [dimension('name', 'city'), dimension('country_code', 'country')],
});
