/** Dataset: each website over time. */
import { bucketDate, count, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { detail } from '../../catalogue/dimensions.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { ALL_EVENTS, PAGEVIEWS, SESSIONS, VISITORS } from '../../catalogue/measures.ts';

export const websiteLines: Dataset = {
  names: ['website_lines'],
  description:
    'Each website in reach over time, a line for each; without filters, or with those of websites alone, also of those without events. Pageviews and visitors count in every bucket they occur in, a session in that of its first event in range.',
  kind: 'series',
  unit: 'events',
  scope: ALL_EVENTS,
  needs: 'website_id',
  ofWebsites: true,
  filters: EVENT_FILTERS,
  dimensions: [detail('website_id')],
  extraDimensions: [],
  measures: { pageviews: PAGEVIEWS, visitors: VISITORS, sessions: SESSIONS },
  columns: [
    text('website_id', 'Identifier of the website.'),
    bucketDate(),
    count('pageviews', 'Pageviews (screen_view events).'),
    count('visitors', 'Distinct visitors.'),
    count('sessions', 'Sessions whose first event in range lies in the bucket.'),
  ],
  order: null,
  defaultLimit: 100,
};
