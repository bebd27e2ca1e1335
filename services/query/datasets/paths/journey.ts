/** Dataset: what sessions do after a page or event, or before it. */
import { count, found, percent } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { CUSTOM_EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { journeyArguments } from '../../catalogue/match-arguments.ts';
import { PAGEVIEWS_AND_CUSTOM_EVENTS } from '../../catalogue/measures.ts';
import { OF_SEQUENCE } from '../../catalogue/sequence-measures.ts';

export const journey: Dataset = {
  names: ['journey'],
  description:
    'Which pages and custom events follow one another in sessions, from the first matching one on, or back from it: a row for each link between two steps, and for each start. What a step and its links differ by ended there.',
  kind: 'list',
  unit: 'events',
  scope: PAGEVIEWS_AND_CUSTOM_EVENTS,
  arguments: journeyArguments,
  sequence: { kind: 'journey', keys: ['step', 'from_type', 'from_name', 'type', 'name'] },
  filters: CUSTOM_EVENT_FILTERS,
  dimensions: [],
  extraDimensions: [],
  measures: {
    step: OF_SEQUENCE,
    from_type: OF_SEQUENCE,
    from_name: OF_SEQUENCE,
    type: OF_SEQUENCE,
    name: OF_SEQUENCE,
    sessions: OF_SEQUENCE,
    journeys: OF_SEQUENCE,
  },
  columns: [
    count('step', 'Steps from the start, which is 0; backward too.'),
    found('from_type', 'Of the step nearer to the start: page, event or other; null at the start.'),
    found('from_name', 'Path or name of the step nearer to the start, or (other); null at the start.'),
    found('type', 'page, event, or other for all that are not among the most frequent at the step.'),
    found('name', 'Path of the page, name of the event, or (other).'),
    count('sessions', 'Sessions that went this way.'),
    percent('percentage', 'In percent of all sessions with a start.', 'sessions', 'journeys'),
  ],
  order: { column: 'step', direction: 'asc' },
  defaultLimit: 10_000,
};
