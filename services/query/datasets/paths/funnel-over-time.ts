/** Dataset: how many visitors enter a funnel over time, and how many of them reach its end. */
import { bucketDate, count, percent, quantile } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { CUSTOM_EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { funnelArguments } from '../../catalogue/match-arguments.ts';
import { ALL_EVENTS } from '../../catalogue/measures.ts';
import { MEDIAN_OF_SEQUENCE, OF_SEQUENCE } from '../../catalogue/sequence-measures.ts';

export const funnelOverTime: Dataset = {
  names: ['funnel_over_time'],
  description:
    'A funnel over time. Each visitor counts once, in the bucket of the first step of the attempt that counts in the dataset funnel.',
  kind: 'series',
  unit: 'events',
  scope: ALL_EVENTS,
  arguments: funnelArguments,
  sequence: { kind: 'funnel', keys: [] },
  filters: CUSTOM_EVENT_FILTERS,
  dimensions: [],
  extraDimensions: [],
  measures: { visitors: OF_SEQUENCE, converted: OF_SEQUENCE, seconds: MEDIAN_OF_SEQUENCE },
  columns: [
    bucketDate(),
    count('visitors', 'Visitors who took the first step in the bucket.'),
    count('converted', 'Those of them who reached the last step, whenever.'),
    percent('conversion_rate', 'In percent of the visitors.', 'converted', 'visitors'),
    quantile(
      'median_seconds_to_convert',
      'Median time from the first step to the last one, in seconds.',
      'seconds',
    ),
  ],
  order: null,
  defaultLimit: 100,
};
