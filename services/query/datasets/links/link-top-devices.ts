/** Dataset: devices of clicks on short links. */
import { count, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { dimension } from '../../catalogue/dimensions.ts';
import { LINK_FILTERS } from '../../catalogue/event-filters.ts';
import { EVENTS, LINK_EVENTS } from '../../catalogue/measures.ts';

export const linkTopDevices: Dataset = {
  names: ['link_top_devices'],
  description: 'Clicks on short links by type of the device.',
  kind: 'list',
  unit: 'events',
  scope: LINK_EVENTS,
  ofLinks: true,
  filters: LINK_FILTERS,
  dimensions: [dimension('name', 'device_type')],
  extraDimensions: LINK_FILTERS,
  measures: {
    clicks: EVENTS,
  },
  columns: [text('name', 'Type of the device.'), count('clicks', 'Clicks from there.')],
  order: { column: 'clicks', direction: 'desc' },
  defaultLimit: 10,
};
