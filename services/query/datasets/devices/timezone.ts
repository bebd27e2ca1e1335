/** Dataset: time zones of the visitors. */
import { dimension } from '../../catalogue/dimensions.ts';
import { pageviewList } from '../../catalogue/pageview-list.ts';

export const timezone = pageviewList({
  names: ['timezone'],
  description: 'Time zones of the visitors.',
  of: 'time zone',
  dimensions: [dimension('name', 'timezone')],
});
