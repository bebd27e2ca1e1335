/** Dataset: what custom events carry. */
import { count, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { dimension } from '../../catalogue/dimensions.ts';
import { CUSTOM_EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { CUSTOM_EVENTS, EVENTS } from '../../catalogue/measures.ts';

export const customEventProperties: Dataset = {
  names: ['custom_event_properties'],
  description:
    'Values of the properties of custom events, one row for each event name, key and value; null is no value.',
  kind: 'list',
  unit: 'properties',
  scope: CUSTOM_EVENTS,
  filters: CUSTOM_EVENT_FILTERS,
  dimensions: [
    dimension('name', 'event_name'),
    { name: 'property_key', source: { pair: 'key' }, missing: 'Unknown' },
    { name: 'property_value', source: { pair: 'value' }, missing: 'Unknown' },
  ],
  extraDimensions: CUSTOM_EVENT_FILTERS,
  measures: {
    count: EVENTS,
  },
  columns: [
    text('name', 'Name of the event.'),
    text('property_key', 'Key of the property.'),
    text('property_value', 'Value of the property; values other than text as JSON.'),
    count('count', 'Events that carry the value.'),
  ],
  order: { column: 'count', direction: 'desc' },
  defaultLimit: 100,
};
