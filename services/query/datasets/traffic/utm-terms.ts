/** Dataset: pageviews by utm_term. */
import { dimension } from '../../catalogue/dimensions.ts';
import { pageviewList } from '../../catalogue/pageview-list.ts';

export const utmTerms = pageviewList({
  names: ['utm_terms'],
  description: 'Pageviews by utm_term.',
  of: 'utm_term',
  dimensions: [dimension('name', 'utm_term')],
});
