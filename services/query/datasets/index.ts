/** The catalogue: every dataset under every one of its names. */
import type { Dataset } from '../catalogue/dataset.ts';
import { customEvents } from './custom-events.ts';
import { customEventsSummary } from './custom-events-summary.ts';
import { pages } from './pages.ts';
import { summary } from './summary.ts';
import { summaryMetrics } from './summary-metrics.ts';
import { traffic } from './traffic.ts';

/** Every dataset once, in the order that clients see. */
export const DATASETS: readonly Dataset[] = [
  summary,
  summaryMetrics,
  pages,
  traffic,
  customEvents,
  customEventsSummary,
];

/** Every dataset by each of its names. */
export const DATASETS_BY_NAME: ReadonlyMap<string, Dataset> = new Map(
  DATASETS.flatMap((dataset) => dataset.names.map((name) => [name, dataset] as const)),
);
