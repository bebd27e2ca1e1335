/** Dataset: hosts of outgoing links. */
import { count, share, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { OUTBOUND_FILTERS } from '../../catalogue/event-filters.ts';
import { EVENTS, OUTBOUND_EVENTS, VISITORS } from '../../catalogue/measures.ts';

export const outboundDomains: Dataset = {
  names: ['outbound_domains'],
  description: 'Hosts of the links to other sites that were followed.',
  kind: 'list',
  unit: 'events',
  scope: OUTBOUND_EVENTS,
  filters: OUTBOUND_FILTERS,
  dimensions: [{ name: 'domain', source: { hostOf: 'href' }, missing: 'Unknown' }],
  extraDimensions: OUTBOUND_FILTERS,
  measures: {
    total_clicks: EVENTS,
    unique_users: VISITORS,
    unique_links: { kind: 'distinct', column: 'href' },
  },
  columns: [
    text('domain', 'Host of the target.'),
    count('total_clicks', 'Clicks on links to the host.'),
    count('unique_users', 'Distinct visitors who clicked.'),
    count('unique_links', 'Distinct targets.'),
    share('total_clicks'),
  ],
  order: { column: 'total_clicks', direction: 'desc' },
  defaultLimit: 100,
};
