/** The datasets of visitors and what they do, in the order that clients see. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { engagement } from './engagement.ts';
import { profiles } from './profiles.ts';
import { returningVisitors } from './returning-visitors.ts';
import { scrollDepthSummary } from './scroll-depth-summary.ts';

export const visitorsDatasets: readonly Dataset[] = [
  profiles,
  returningVisitors,
  engagement,
  scrollDepthSummary,
];
