/** Dataset: web vitals. */
import { count, quantile, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { dimension } from '../../catalogue/dimensions.ts';
import { VITAL_FILTERS } from '../../catalogue/event-filters.ts';
import { quantileOf, VITAL_EVENTS } from '../../catalogue/measures.ts';
import { VITAL_RATINGS, VITAL_SHARES } from '../../catalogue/vital-ratings.ts';

export const webVitals: Dataset = {
  names: ['web_vitals'],
  description:
    'Web vitals: FCP, LCP, INP and TTFB in milliseconds, FPS in frames per second, CLS without unit; three decimals. Rated as in vitals_over_time.',
  kind: 'list',
  unit: 'events',
  scope: VITAL_EVENTS,
  filters: VITAL_FILTERS,
  dimensions: [dimension('metric_name')],
  extraDimensions: VITAL_FILTERS,
  measures: {
    samples: { kind: 'count', where: { number: 'metric_value', is: 'present' } },
    p50: quantileOf('metric_value', 50),
    p75: quantileOf('metric_value', 75),
    p90: quantileOf('metric_value', 90),
    p99: quantileOf('metric_value', 99),
    ...VITAL_RATINGS,
  },
  columns: [
    text('metric_name', 'FCP, LCP, CLS, INP, TTFB or FPS.'),
    count('samples', 'Measured values.'),
    quantile('p50', 'Median.', 'p50', 3),
    quantile('p75', 'Value that 75 percent do not exceed.', 'p75', 3),
    quantile('p90', 'Value that 90 percent do not exceed.', 'p90', 3),
    quantile('p99', 'Value that 99 percent do not exceed.', 'p99', 3),
    ...VITAL_SHARES,
  ],
  order: { column: 'samples', direction: 'desc' },
  defaultLimit: 100,
};
