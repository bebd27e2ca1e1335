/** Dataset: browsers, whatever their version. */
import { dimension } from '../../catalogue/dimensions.ts';
import { pageviewList } from '../../catalogue/pageview-list.ts';

export const browserName = pageviewList({
  names: ['browser_name'],
  description: 'Browsers, whatever their version.',
  of: 'browser',
  dimensions: [dimension('name', 'browser_name')],
});
