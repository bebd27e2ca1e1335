/** Datasets about goals. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { goals } from './goals.ts';

export const goalsDatasets: readonly Dataset[] = [goals];
