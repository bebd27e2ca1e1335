/** Dataset: pageviews by utm_medium. */
import { dimension } from '../../catalogue/dimensions.ts';
import { pageviewList } from '../../catalogue/pageview-list.ts';

export const utmMediums = pageviewList({
  names: ['utm_mediums'],
  description: 'Pageviews by utm_medium.',
  of: 'utm_medium',
  dimensions: [dimension('name', 'utm_medium')],
});
