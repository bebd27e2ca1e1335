/** Dataset: what events are worth. */
import { count, mean, sum, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { CUSTOM_EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { revenueArguments } from '../../catalogue/match-arguments.ts';
import { ALL_EVENTS, EVENTS, VISITORS } from '../../catalogue/measures.ts';

export const revenue: Dataset = {
  names: ['revenue'],
  description:
    'What the events of a goal, or with a property, are worth: a row for each currency, and for each value that groupBy adds. Events whose property is no number do not count.',
  kind: 'list',
  unit: 'events',
  scope: ALL_EVENTS,
  arguments: revenueArguments,
  isRevenue: true,
  filters: CUSTOM_EVENT_FILTERS,
  dimensions: [{ name: 'currency', source: { property: 'currency' }, missing: 'Unknown' }],
  extraDimensions: CUSTOM_EVENT_FILTERS,
  measures: { revenue: { kind: 'propertySum', property: '' }, orders: EVENTS, visitors: VISITORS },
  columns: [
    text('currency', 'Currency of the events: as asked for, else their property currency, or Unknown.'),
    sum('revenue', 'Sum of the property.'),
    count('orders', 'Events.'),
    mean('average_order', 'Revenue per event.', 'revenue', 'orders'),
    count('visitors', 'Distinct visitors of the events.'),
  ],
  order: { column: 'revenue', direction: 'desc' },
  defaultLimit: 100,
};
