/** Dataset: where pageviews come from. */
import { text } from '../../catalogue/columns.ts';
import { referrerGroup, referrerHost } from '../../catalogue/dimensions.ts';
import { pageviewList } from '../../catalogue/pageview-list.ts';

export const traffic = pageviewList({
  names: ['traffic'],
  description: 'Sources of pageviews: the group of the referrer and its host.',
  of: 'source',
  dimensions: [referrerGroup('source'), referrerHost('referrer')],
  columns: [
    text('source', 'Group: direct, search, social, email, referral or campaign.'),
    text('referrer', 'Host of the referrer, or Direct.'),
  ],
});
