/** Dataset: screen resolutions, width by height. */
import { dimension } from '../../catalogue/dimensions.ts';
import { pageviewList } from '../../catalogue/pageview-list.ts';

export const screenResolutions = pageviewList({
  names: ['screen_resolutions'],
  description: 'Screen resolutions, width by height.',
  of: 'screen resolution',
  dimensions: [dimension('name', 'screen_resolution')],
});
