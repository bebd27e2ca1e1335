/** The datasets that tell websites apart, in the order that clients see. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { websiteLines } from './website-lines.ts';
import { websiteTotals } from './website-totals.ts';

export const websitesDatasets: readonly Dataset[] = [websiteTotals, websiteLines];
