/** Dataset: operating systems by version. */
import { dimension } from '../../catalogue/dimensions.ts';
import { pageviewList } from '../../catalogue/pageview-list.ts';

export const osVersions = pageviewList({
  names: ['os_versions'],
  description: 'Operating systems by version.',
  of: 'operating system',
  dimensions: [dimension('name', 'os_name'), dimension('version', 'os_version')],
});
