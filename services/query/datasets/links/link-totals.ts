/** Dataset: the clicks on each short link. */
import { count, instant, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { detail } from '../../catalogue/dimensions.ts';
import { LINK_FILTERS } from '../../catalogue/event-filters.ts';
import { EVENTS, LAST_EVENT, LINK_EVENTS, VISITORS } from '../../catalogue/measures.ts';

export const linkTotals: Dataset = {
  names: ['link_totals'],
  description:
    'Short links with clicks in range: a row for each. Filter by link_id with in for those of a list.',
  kind: 'list',
  unit: 'events',
  scope: LINK_EVENTS,
  needs: 'link_id',
  ofLinks: true,
  filters: LINK_FILTERS,
  dimensions: [detail('link_id')],
  extraDimensions: LINK_FILTERS,
  measures: {
    clicks: EVENTS,
    visitors: VISITORS,
    last: LAST_EVENT,
  },
  columns: [
    text('link_id', 'Identifier of the short link.'),
    count('clicks', 'Clicks on the link.'),
    count('unique_visitors', 'Distinct visitors who clicked.', 'visitors'),
    instant('last_click', 'Instant of the last click in range.', 'last'),
  ],
  order: { column: 'clicks', direction: 'desc' },
  defaultLimit: 100,
};
