/** Dataset: how far visitors get through the steps of a funnel. */
import { count, found, percent, quantile } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { CUSTOM_EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { funnelArguments } from '../../catalogue/match-arguments.ts';
import { ALL_EVENTS } from '../../catalogue/measures.ts';
import { MEDIAN_OF_SEQUENCE, OF_SEQUENCE } from '../../catalogue/sequence-measures.ts';

export const funnel: Dataset = {
  names: ['funnel'],
  description:
    'A row for each step of a funnel: how many visitors took it, and all before it. Each visitor counts once, with the attempt that got furthest, the earliest of those.',
  kind: 'list',
  unit: 'events',
  scope: ALL_EVENTS,
  arguments: funnelArguments,
  sequence: { kind: 'funnel', keys: ['step', 'name'] },
  filters: CUSTOM_EVENT_FILTERS,
  dimensions: [],
  extraDimensions: CUSTOM_EVENT_FILTERS,
  measures: {
    step: OF_SEQUENCE,
    name: OF_SEQUENCE,
    visitors: OF_SEQUENCE,
    entered: OF_SEQUENCE,
    previous: OF_SEQUENCE,
    dropped: OF_SEQUENCE,
    seconds: MEDIAN_OF_SEQUENCE,
  },
  columns: [
    count('step', 'Number of the step, from 1; in any order: how many of the steps.'),
    found('name', 'Name of the step, or what it matches.'),
    count('visitors', 'Visitors who got here.'),
    percent('conversion_rate', 'In percent of the visitors of the first step.', 'visitors', 'entered'),
    percent('step_rate', 'In percent of the visitors of the step before.', 'visitors', 'previous'),
    count('dropped', 'Visitors of the step before who did not get here.'),
    quantile(
      'median_seconds_from_previous',
      'Median time since the step before, in seconds; 0 for the first.',
      'seconds',
    ),
  ],
  order: { column: 'step', direction: 'asc' },
  defaultLimit: 1_000,
};
