/** Dataset: how visitors engage with pages. */
import { count, mean, percent, quantile, ratio } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { ALL_EVENTS, PAGEVIEWS, quantileOf, SESSIONS, sumAndCount } from '../../catalogue/measures.ts';

const [scroll, scrolled] = sumAndCount('scroll_depth');

export const engagement: Dataset = {
  names: ['engagement'],
  description: 'How far visitors scroll, how long they stay and whether they interact.',
  kind: 'row',
  unit: 'events',
  scope: ALL_EVENTS,
  filters: EVENT_FILTERS,
  dimensions: [],
  extraDimensions: [],
  measures: {
    scroll,
    scrolled,
    time: quantileOf('time_on_page', 50),
    pageviews: PAGEVIEWS,
    sessions: SESSIONS,
    interactive: { kind: 'sessions', where: { interactions: 'some' } },
  },
  columns: [
    mean(
      'avg_scroll_depth',
      'Mean of the measured scroll depths, in percent of the page.',
      'scroll',
      'scrolled',
    ),
    quantile('median_time_on_page', 'Median of the measured times on a page, in seconds.', 'time'),
    ratio('pages_per_session', 'Pageviews per session.', 'pageviews', 'sessions'),
    count('interactive_sessions', 'Sessions with at least one interaction.', 'interactive'),
    percent(
      'interaction_rate',
      'Sessions with an interaction, in percent of sessions.',
      'interactive',
      'sessions',
    ),
  ],
  order: null,
  defaultLimit: 100,
};
