/** Dataset: operating systems, whatever their version. */
import { dimension } from '../../catalogue/dimensions.ts';
import { pageviewList } from '../../catalogue/pageview-list.ts';

export const osName = pageviewList({
  names: ['os_name'],
  description: 'Operating systems, whatever their version.',
  of: 'operating system',
  dimensions: [dimension('name', 'os_name')],
});
