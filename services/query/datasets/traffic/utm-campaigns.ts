/** Dataset: pageviews by utm_campaign. */
import { dimension } from '../../catalogue/dimensions.ts';
import { pageviewList } from '../../catalogue/pageview-list.ts';

export const utmCampaigns = pageviewList({
  names: ['utm_campaigns'],
  description: 'Pageviews by utm_campaign.',
  of: 'utm_campaign',
  dimensions: [dimension('name', 'utm_campaign')],
});
