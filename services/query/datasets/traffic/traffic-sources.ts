/** Dataset: groups of referrers. */
import { referrerGroup } from '../../catalogue/dimensions.ts';
import { pageviewList } from '../../catalogue/pageview-list.ts';

export const trafficSources = pageviewList({
  names: ['traffic_sources'],
  description: 'Groups of referrers: direct, search, social, email, referral or campaign.',
  of: 'group',
  dimensions: [referrerGroup('name')],
});
