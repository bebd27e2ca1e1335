/** Dataset: how fast pages load. */
import { count, mean, quantile, text } from '../../catalogue/columns.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { dimension } from '../../catalogue/dimensions.ts';
import { EVENT_FILTERS } from '../../catalogue/event-filters.ts';
import { EVENTS, PAGEVIEW_EVENTS, quantileOf, sumAndCount, VISITORS } from '../../catalogue/measures.ts';

const [load, loaded] = sumAndCount('load_time');
const [ttfb, ttfbs] = sumAndCount('ttfb');

export const performance: Dataset = {
  names: ['performance'],
  description: 'How fast pages load, in milliseconds.',
  kind: 'list',
  unit: 'events',
  scope: PAGEVIEW_EVENTS,
  filters: EVENT_FILTERS,
  dimensions: [dimension('name', 'path')],
  extraDimensions: EVENT_FILTERS,
  measures: {
    visitors: VISITORS,
    pageviews: EVENTS,
    load,
    loaded,
    p50: quantileOf('load_time', 50),
    p95: quantileOf('load_time', 95),
    p99: quantileOf('load_time', 99),
    ttfb,
    ttfbs,
  },
  columns: [
    text('name', 'Path of the page.'),
    count('visitors', 'Distinct visitors of the page.'),
    count('pageviews', 'Pageviews of the page.'),
    mean('avg_load_time', 'Mean load time.', 'load', 'loaded'),
    quantile('p50_load_time', 'Median load time.', 'p50'),
    quantile('p95_load_time', 'Load time that 95 percent do not exceed.', 'p95'),
    quantile('p99_load_time', 'Load time that 99 percent do not exceed.', 'p99'),
    mean('avg_ttfb', 'Mean time to the first byte.', 'ttfb', 'ttfbs'),
  ],
  order: { column: 'visitors', direction: 'desc' },
  defaultLimit: 100,
};
