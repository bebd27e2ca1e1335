/** Dataset: the hosts that pageviews come from. */
import { found, text } from '../../catalogue/columns.ts';
import { LAST_REFERRER, referrerHost } from '../../catalogue/dimensions.ts';
import { pageviewList } from '../../catalogue/pageview-list.ts';

export const topReferrers = pageviewList({
  names: ['top_referrers'],
  description: 'Referrers of pageviews by host.',
  of: 'referrer',
  dimensions: [referrerHost('name')],
  measures: { referrer: LAST_REFERRER },
  columns: [
    text('name', 'Host of the referrer, or Direct.'),
    found('referrer', 'The latest referrer of the host as it was sent, or Direct.'),
  ],
});
