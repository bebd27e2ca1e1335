/** Dataset: pages by pageviews, with shares. */
import { dimension } from '../../catalogue/dimensions.ts';
import { pageviewList } from '../../catalogue/pageview-list.ts';

export const topPages = pageviewList({
  names: ['top_pages'],
  description: 'Pages by pageviews, with their shares.',
  of: 'page',
  dimensions: [dimension('name', 'path')],
});
