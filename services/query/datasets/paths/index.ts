/** Datasets of what visitors do one after another. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { funnel } from './funnel.ts';
import { funnelOverTime } from './funnel-over-time.ts';
import { journey } from './journey.ts';
import { retention } from './visitor-retention.ts';

export const pathsDatasets: readonly Dataset[] = [funnel, funnelOverTime, retention, journey];
