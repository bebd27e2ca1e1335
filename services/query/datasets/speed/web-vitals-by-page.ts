/** Dataset: web vitals of pages. */
import { count, quantile, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { dimension } from '../../catalogue/dimensions.ts';
import { VITAL_FILTERS } from '../../catalogue/event-filters.ts';
import { quantileOf, VITAL_EVENTS } from '../../catalogue/measures.ts';

export const webVitalsByPage: Dataset = {
  names: ['web_vitals_by_page'],
  description: 'Web vitals by page; units as in web_vitals.',
  kind: 'list',
  unit: 'events',
  scope: VITAL_EVENTS,
  filters: VITAL_FILTERS,
  dimensions: [dimension('name', 'path'), dimension('metric_name')],
  extraDimensions: VITAL_FILTERS,
  measures: {
    samples: { kind: 'count', where: { number: 'metric_value', is: 'present' } },
    p75: quantileOf('metric_value', 75),
  },
  columns: [
    text('name', 'Path of the page.'),
    text('metric_name', 'FCP, LCP, CLS, INP, TTFB or FPS.'),
    count('samples', 'Measured values.'),
    quantile('p75', 'Value that 75 percent do not exceed.', 'p75', 3),
  ],
  order: { column: 'samples', direction: 'desc' },
  defaultLimit: 100,
};
