/** Datasets of what events are worth. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { revenue } from './revenue.ts';
import { revenueOverTime } from './revenue-over-time.ts';

export const revenueDatasets: readonly Dataset[] = [revenue, revenueOverTime];
