/** Dataset: what events are worth over time. */
import { bucketDate, count, mean, sum } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { revenueOverTimeArguments } from '../../catalogue/match-arguments.ts';
import { revenue } from './revenue.ts';

export const revenueOverTime: Dataset = {
  ...revenue,
  names: ['revenue_over_time'],
  description: 'What the events of a goal, or with a property, are worth over time, in one currency.',
  kind: 'series',
  arguments: revenueOverTimeArguments,
  dimensions: [],
  extraDimensions: [],
  columns: [
    bucketDate(),
    sum('revenue', 'Sum of the property.'),
    count('orders', 'Events.'),
    mean('average_order', 'Revenue per event.', 'revenue', 'orders'),
    count('visitors', 'Distinct visitors of the events.'),
  ],
  order: null,
};
