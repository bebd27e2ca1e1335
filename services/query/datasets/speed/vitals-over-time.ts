/** Dataset: web vitals over time, a line for each. */
import { bucketDate, count, quantile, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { dimension } from '../../catalogue/dimensions.ts';
import { VITAL_FILTERS } from '../../catalogue/event-filters.ts';
import { quantileOf, VITAL_EVENTS } from '../../catalogue/measures.ts';
import { VITAL_RATINGS, VITAL_SHARES } from '../../catalogue/vital-ratings.ts';

export const vitalsOverTime: Dataset = {
  names: ['vitals_over_time'],
  description:
    'Web vitals over time: a line for each that was measured in range, rated by the published thresholds. FPS has none, and shares of 0.',
  kind: 'series',
  unit: 'events',
  scope: VITAL_EVENTS,
  filters: VITAL_FILTERS,
  dimensions: [dimension('metric_name')],
  extraDimensions: ['website_id'],
  measures: {
    samples: { kind: 'count', where: { number: 'metric_value', is: 'present' } },
    p75: quantileOf('metric_value', 75),
    ...VITAL_RATINGS,
  },
  columns: [
    bucketDate(),
    text('metric_name', 'FCP, LCP, CLS, INP, TTFB or FPS.'),
    count('samples', 'Measured values.'),
    quantile('p75', 'Value that 75 percent do not exceed.', 'p75', 3),
    ...VITAL_SHARES,
  ],
  order: null,
  defaultLimit: 100,
};
