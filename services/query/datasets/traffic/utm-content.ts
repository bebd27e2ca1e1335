/** Dataset: pageviews by utm_content. */
import { dimension } from '../../catalogue/dimensions.ts';
import { pageviewList } from '../../catalogue/pageview-list.ts';

export const utmContent = pageviewList({
  names: ['utm_content'],
  description: 'Pageviews by utm_content.',
  of: 'utm_content',
  dimensions: [dimension('name', 'utm_content')],
});
