/** Dataset: how often each goal of a website was reached, and what that was worth. */
import { count, found, percent, sumOrNull } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { CUSTOM_EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { goalsArguments } from '../../catalogue/match-arguments.ts';
import { ALL_EVENTS } from '../../catalogue/measures.ts';
import { OF_SEQUENCE } from '../../catalogue/sequence-measures.ts';

export const goals: Dataset = {
  names: ['goals'],
  description:
    'A row for each goal of the website, in the order of their positions; with groupBy for each goal and group in which it was reached.',
  kind: 'list',
  unit: 'events',
  scope: ALL_EVENTS,
  arguments: goalsArguments,
  sequence: { kind: 'goals', keys: ['place', 'name', 'goal_id', 'position', 'currency'] },
  filters: CUSTOM_EVENT_FILTERS,
  dimensions: [],
  extraDimensions: CUSTOM_EVENT_FILTERS,
  measures: {
    place: OF_SEQUENCE,
    name: OF_SEQUENCE,
    goal_id: OF_SEQUENCE,
    position: OF_SEQUENCE,
    visitors: OF_SEQUENCE,
    conversions: OF_SEQUENCE,
    sessions: OF_SEQUENCE,
    present: OF_SEQUENCE,
    revenue: OF_SEQUENCE,
    currency: OF_SEQUENCE,
  },
  columns: [
    found('name', 'Name of the goal.'),
    found('goal_id', 'Identifier of the goal.'),
    count('position', 'Position of the goal.'),
    count('visitors', 'Distinct visitors who reached it.'),
    count('conversions', 'Events that count as reached.'),
    count('sessions', 'Distinct sessions in which it was reached.'),
    percent(
      'conversion_rate',
      'Visitors who reached it, in percent of all visitors; with groupBy of those of the group.',
      'visitors',
      'present',
    ),
    sumOrNull('revenue', 'Sum of what they were worth; null without a property of revenue.'),
    found('currency', 'Currency of the revenue; null where the goal has none.'),
  ],
  order: { column: 'position', direction: 'asc' },
  defaultLimit: 100,
};
