/** Dataset: everything about pages in one list. */
import { count, found, instant, mean, percent, quantile, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { dimension, lastText } from '../../catalogue/dimensions.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import {
  FIRST_PAGEVIEW,
  LAST_PAGEVIEW,
  PAGE_EVENTS,
  PAGE_SESSIONS,
  PAGE_VISITORS,
  PAGEVIEWS,
  quantileOf,
  sumAndCount,
  VIEWED,
} from '../../catalogue/measures.ts';

const [scroll, scrolled] = sumAndCount('scroll_depth');

export const pageDetails: Dataset = {
  names: ['page_details'],
  description: 'Pages with a pageview in range: views, entries, exits, times, scroll depths.',
  kind: 'list',
  unit: 'events',
  scope: PAGE_EVENTS,
  sessions: VIEWED,
  filters: EVENT_FILTERS,
  dimensions: [dimension('path')],
  extraDimensions: [],
  measures: {
    title: lastText('title'),
    pageviews: PAGEVIEWS,
    visitors: PAGE_VISITORS,
    ...PAGE_SESSIONS,
    time: quantileOf('time_on_page', 50),
    scroll,
    scrolled,
    first: FIRST_PAGEVIEW,
    last: LAST_PAGEVIEW,
  },
  having: { measure: 'pageviews', atLeast: 1 },
  columns: [
    text('path', 'Path of the page.'),
    found('title', 'Its latest title in range, or null.'),
    count('pageviews', 'Pageviews of the page.'),
    count('visitors', 'Distinct visitors with a pageview of the page.'),
    percent('bounce_rate', 'Bounces, in percent of sessions entering by it.', 'bounces', 'entries'),
    percent('exit_rate', 'Sessions that leave by it, in percent of its pageviews.', 'exits', 'pageviews'),
    quantile('median_time_on_page', 'Median of the measured times on it, in seconds.', 'time'),
    mean('avg_scroll_depth', 'Mean of the measured depths, in percent.', 'scroll', 'scrolled'),
    instant('first_seen', 'Instant of its first pageview in range.', 'first'),
    instant('last_seen', 'Instant of its last pageview in range.', 'last'),
  ],
  order: { column: 'pageviews', direction: 'desc' },
  defaultLimit: 100,
};
