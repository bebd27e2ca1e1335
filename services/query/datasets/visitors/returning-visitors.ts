/** Dataset: visitors who came back. */
import { count, instant, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { detail } from '../../catalogue/dimensions.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { ALL_EVENTS, FIRST_EVENT, LAST_EVENT, PAGE_PATHS, SESSION_IDS } from '../../catalogue/measures.ts';

export const returningVisitors: Dataset = {
  names: ['returning_visitors'],
  description: 'Visitors with two sessions or more, those with the most first.',
  kind: 'list',
  unit: 'events',
  scope: ALL_EVENTS,
  needs: 'anonymous_id',
  filters: EVENT_FILTERS,
  dimensions: [detail('visitor_id', 'anonymous_id')],
  extraDimensions: [],
  measures: {
    session_count: SESSION_IDS,
    first: FIRST_EVENT,
    last: LAST_EVENT,
    unique_pages: PAGE_PATHS,
  },
  having: { measure: 'session_count', atLeast: 2 },
  columns: [
    text('visitor_id', 'Identifier of the visitor.'),
    count('session_count', 'Distinct sessions.'),
    instant('first_visit', 'Instant of the first event in range.', 'first'),
    instant('last_visit', 'Instant of the last event in range.', 'last'),
    count('unique_pages', 'Distinct paths of pageviews.'),
  ],
  order: { column: 'session_count', direction: 'desc' },
  defaultLimit: 100,
};
