/** Dataset: types of devices. */
import { dimension } from '../../catalogue/dimensions.ts';
import { pageviewList } from '../../catalogue/pageview-list.ts';

export const deviceTypes = pageviewList({
  names: ['device_types'],
  description: 'Types of devices.',
  of: 'device type',
  dimensions: [dimension('name', 'device_type')],
});
