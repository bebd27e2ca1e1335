/** Dataset: how many visitors come back, by the period in which they came first. */
import { bucketDate, count, percent } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { CUSTOM_EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { retentionArguments } from '../../catalogue/match-arguments.ts';
import { ALL_EVENTS } from '../../catalogue/measures.ts';
import { OF_SEQUENCE } from '../../catalogue/sequence-measures.ts';

export const retention: Dataset = {
  names: ['retention'],
  description:
    'A row for each cohort and each period from its own on: a cohort is the visitors whose first event in range that starts one lies in the period. Period 0 is the cohort.',
  kind: 'list',
  unit: 'events',
  scope: ALL_EVENTS,
  arguments: retentionArguments,
  sequence: { kind: 'retention', keys: ['bucket', 'period'] },
  filters: CUSTOM_EVENT_FILTERS,
  dimensions: [],
  extraDimensions: [],
  measures: { period: OF_SEQUENCE, size: OF_SEQUENCE, visitors: OF_SEQUENCE },
  columns: [
    {
      ...bucketDate(),
      description:
        'Period of the cohort in the requested timezone: its day, the Sunday of its week, or the first day of its month.',
    },
    count('period', 'Periods since that of the cohort.'),
    count('cohort_visitors', 'Visitors of the cohort.', 'size'),
    count('visitors', 'Those of them who returned.'),
    percent('percentage', 'In percent of the cohort.', 'visitors', 'size'),
  ],
  order: { column: 'date', direction: 'asc' },
  defaultLimit: 10_000,
};
