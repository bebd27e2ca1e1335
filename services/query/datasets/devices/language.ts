/** Dataset: languages of the visitors. */
import { dimension } from '../../catalogue/dimensions.ts';
import { pageviewList } from '../../catalogue/pageview-list.ts';

export const language = pageviewList({
  names: ['language'],
  description: 'Languages of the visitors.',
  of: 'language',
  dimensions: [dimension('name', 'language')],
});
