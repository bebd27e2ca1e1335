/** The datasets of the whole website, in the order that clients see. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { activeStats } from './active-stats.ts';
import { summary } from './summary.ts';
import { summaryMetrics } from './summary-metrics.ts';
import { todayMetrics } from './today-metrics.ts';

export const overviewDatasets: readonly Dataset[] = [summary, summaryMetrics, todayMetrics, activeStats];
