/** The datasets of pages, in the order that clients see. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { entryPages } from './entry-pages.ts';
import { exitPages } from './exit-pages.ts';
import { pageDetails } from './page-details.ts';
import { pagePerformance } from './page-performance.ts';
import { pageTimeAnalysis } from './page-time-analysis.ts';
import { pages } from './pages.ts';
import { topPages } from './top-pages.ts';

export const pagesDatasets: readonly Dataset[] = [
  pages,
  topPages,
  entryPages,
  exitPages,
  pageDetails,
  pagePerformance,
  pageTimeAnalysis,
];
