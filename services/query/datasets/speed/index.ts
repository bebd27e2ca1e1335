/** The datasets about page speed, in the order that clients see. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { performance } from './performance.ts';
import { vitalsOverTime } from './vitals-over-time.ts';
import { webVitals } from './web-vitals.ts';
import { webVitalsByPage } from './web-vitals-by-page.ts';

export const speedDatasets: readonly Dataset[] = [performance, webVitals, webVitalsByPage, vitalsOverTime];
