/** Dataset: pageviews by utm_source. */
import { dimension } from '../../catalogue/dimensions.ts';
import { pageviewList } from '../../catalogue/pageview-list.ts';

export const utmSources = pageviewList({
  names: ['utm_sources'],
  description: 'Pageviews by utm_source.',
  of: 'utm_source',
  dimensions: [dimension('name', 'utm_source')],
});
