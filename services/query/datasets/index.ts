/** The catalogue: every dataset under every one of its names. */
import type { Dataset } from '../catalogue/dataset.ts';
import { attributionDatasets } from './attribution/index.ts';
import { customEventsDatasets } from './custom-events/index.ts';
import { devicesDatasets } from './devices/index.ts';
import { errorsDatasets } from './errors/index.ts';
import { goalsDatasets } from './goals/index.ts';
import { linksDatasets } from './links/index.ts';
import { outboundDatasets } from './outbound/index.ts';
import { overviewDatasets } from './overview/index.ts';
import { pagesDatasets } from './pages/index.ts';
import { pathsDatasets } from './paths/index.ts';
import { placesDatasets } from './places/index.ts';
import { revenueDatasets } from './revenue/index.ts';
import { sessionsDatasets } from './sessions/index.ts';
import { speedDatasets } from './speed/index.ts';
import { trafficDatasets } from './traffic/index.ts';
import { visitorsDatasets } from './visitors/index.ts';
import { websitesDatasets } from './websites/index.ts';

/** Every dataset once, in the order that clients see. */
export const DATASETS: readonly Dataset[] = [
  ...overviewDatasets,
  ...pagesDatasets,
  ...trafficDatasets,
  ...attributionDatasets,
  ...devicesDatasets,
  ...placesDatasets,
  ...sessionsDatasets,
  ...visitorsDatasets,
  ...customEventsDatasets,
  ...errorsDatasets,
  ...speedDatasets,
  ...outboundDatasets,
  ...linksDatasets,
  ...goalsDatasets,
  ...pathsDatasets,
  ...revenueDatasets,
  ...websitesDatasets,
];

/** Every dataset by each of its names. */
export const DATASETS_BY_NAME: ReadonlyMap<string, Dataset> = new Map(
  DATASETS.flatMap((dataset) => dataset.names.map((name) => [name, dataset] as const)),
);
