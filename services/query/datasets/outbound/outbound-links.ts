/** Dataset: outgoing links. */
import { count, instant, share, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { dimension } from '../../catalogue/dimensions.ts';
import { OUTBOUND_FILTERS } from '../../catalogue/event-filters.ts';
import { EVENTS, LAST_EVENT, OUTBOUND_EVENTS, SESSION_IDS, VISITORS } from '../../catalogue/measures.ts';

export const outboundLinks: Dataset = {
  names: ['outbound_links'],
  description: 'Links to other sites that were followed.',
  kind: 'list',
  unit: 'events',
  scope: OUTBOUND_EVENTS,
  filters: OUTBOUND_FILTERS,
  dimensions: [dimension('href'), dimension('text')],
  extraDimensions: OUTBOUND_FILTERS,
  measures: {
    total_clicks: EVENTS,
    unique_users: VISITORS,
    unique_sessions: SESSION_IDS,
    last: LAST_EVENT,
  },
  columns: [
    text('href', 'Target of the link.'),
    text('text', 'Text of the link.'),
    count('total_clicks', 'Clicks on the link.'),
    count('unique_users', 'Distinct visitors who clicked.'),
    count('unique_sessions', 'Distinct sessions with a click.'),
    share('total_clicks'),
    instant('last_clicked', 'Instant of the last click in range.', 'last'),
  ],
  order: { column: 'total_clicks', direction: 'desc' },
  defaultLimit: 100,
};
