/** Dataset: regions of the visitors. */
import { dimension } from '../../catalogue/dimensions.ts';
import { pageviewList } from '../../catalogue/pageview-list.ts';

export const regions = pageviewList({
  names: ['regions', 'region'],
  description: 'Regions of the visitors.',
  of: 'region',
  dimensions: [dimension('name', 'region'), dimension('country_code', 'country')],
});
