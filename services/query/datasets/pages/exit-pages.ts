/** Dataset: the pages that sessions leave from. */
import { count, share, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { pageOfSession } from '../../catalogue/dimensions.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { PAGEVIEW_EVENTS, SESSION_VISITORS, SESSIONS } from '../../catalogue/measures.ts';

export const exitPages: Dataset = {
  names: ['exit_pages'],
  description: 'Pages that sessions leave from: those of their last pageview in range.',
  kind: 'list',
  unit: 'sessions',
  scope: PAGEVIEW_EVENTS,
  filters: EVENT_FILTERS,
  dimensions: [pageOfSession('name', 'last')],
  extraDimensions: EVENT_FILTERS,
  measures: { pageviews: SESSIONS, visitors: SESSION_VISITORS },
  columns: [
    text('name', 'Path of the page.'),
    count('pageviews', 'Sessions that leave from the page.'),
    count('visitors', 'Distinct visitors of these sessions.'),
    share('pageviews'),
  ],
  order: { column: 'pageviews', direction: 'desc' },
  defaultLimit: 100,
};
