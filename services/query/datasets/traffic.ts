/** Dataset: where pageviews come from. */
import { count, share, text } from '../catalogue/columns.ts';
import type { Dataset } from '../catalogue/dataset.ts';
import { EVENT_FILTERS } from '../catalogue/event-filters.ts';
import { EVENTS, PAGEVIEW_EVENTS, VISITORS } from '../catalogue/measures.ts';

export const traffic: Dataset = {
  names: ['traffic'],
  description: 'Sources of pageviews: the group of the referrer and its host.',
  kind: 'list',
  scope: PAGEVIEW_EVENTS,
  filters: EVENT_FILTERS,
  dimensions: [
    { name: 'source', column: 'referrer_group', missing: 'direct' },
    {
      name: 'referrer',
      column: 'referrer_host',
      missing: 'Direct',
      missingWhen: { column: 'referrer_group', is: 'direct' },
    },
  ],
  extraDimensions: [],
  measures: { pageviews: EVENTS, visitors: VISITORS },
  columns: [
    text('source', 'Group: direct, search, social, email, referral or campaign.'),
    text('referrer', 'Host of the referrer, or Direct.'),
    count('pageviews', 'Pageviews from the source.'),
    count('visitors', 'Distinct visitors from the source.'),
    share('pageviews'),
  ],
  order: { column: 'pageviews', direction: 'desc' },
  defaultLimit: 100,
};
