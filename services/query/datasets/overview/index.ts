/** The datasets of the whole website, in the order that clients see. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { activeCountries, activePages, activeSources } from './active-lists.ts';
import { activeNow } from './active-now.ts';
import { activeStats } from './active-stats.ts';
import { eventsLive } from './events-live.ts';
import { summary } from './summary.ts';
import { summaryMetrics } from './summary-metrics.ts';
import { todayMetrics } from './today-metrics.ts';

export const overviewDatasets: readonly Dataset[] = [
  summary,
  summaryMetrics,
  todayMetrics,
  activeStats,
  activeNow,
  activePages,
  activeSources,
  activeCountries,
  eventsLive,
];
