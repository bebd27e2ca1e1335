/** Dataset: where clicks on short links come from. */
import { count, found, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { LAST_REFERRER, referrerHost } from '../../catalogue/dimensions.ts';
import { LINK_FILTERS } from '../../catalogue/event-filters.ts';
import { EVENTS, LINK_EVENTS } from '../../catalogue/measures.ts';

export const linkTopReferrers: Dataset = {
  names: ['link_top_referrers'],
  description: 'Clicks on short links by the host that they come from.',
  kind: 'list',
  unit: 'events',
  scope: LINK_EVENTS,
  ofLinks: true,
  filters: LINK_FILTERS,
  dimensions: [referrerHost('name')],
  extraDimensions: LINK_FILTERS,
  measures: {
    referrer: LAST_REFERRER,
    clicks: EVENTS,
  },
  columns: [
    text('name', 'Host of the referrer, or Direct.'),
    found('referrer', 'The latest referrer of the host as it was sent, or Direct.'),
    count('clicks', 'Clicks from there.'),
  ],
  order: { column: 'clicks', direction: 'desc' },
  defaultLimit: 10,
};
