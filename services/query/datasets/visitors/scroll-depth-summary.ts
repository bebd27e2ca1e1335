/** Dataset: how far visitors scroll. */
import { count, mean } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { ALL_EVENTS, sumAndCount } from '../../catalogue/measures.ts';

const [scroll, scrolled] = sumAndCount('scroll_depth');

export const scrollDepthSummary: Dataset = {
  names: ['scroll_depth_summary'],
  description: 'How far visitors scroll, over all measured scroll depths.',
  kind: 'row',
  unit: 'events',
  scope: ALL_EVENTS,
  filters: EVENT_FILTERS,
  dimensions: [],
  extraDimensions: [],
  measures: {
    scroll,
    scrolled,
    sessions: { kind: 'distinct', column: 'session_id', where: { number: 'scroll_depth', is: 'present' } },
  },
  columns: [
    mean(
      'avg_scroll_depth',
      'Mean of the measured scroll depths, in percent of the page.',
      'scroll',
      'scrolled',
    ),
    count('total_sessions', 'Distinct sessions with a measured scroll depth.', 'sessions'),
  ],
  order: null,
  defaultLimit: 100,
};
