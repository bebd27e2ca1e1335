/** Dataset: browsers by version. */
import { dimension } from '../../catalogue/dimensions.ts';
import { pageviewList } from '../../catalogue/pageview-list.ts';

export const browsers = pageviewList({
  names: ['browsers', 'browser_versions'],
  description: 'Browsers by version.',
  of: 'browser',
  dimensions: [dimension('name', 'browser_name'), dimension('version', 'browser_version')],
});
