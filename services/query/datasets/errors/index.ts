/** The datasets of errors, in the order that clients see. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { errorSummary } from './error-summary.ts';
import { errorTypes } from './error-types.ts';
import { errors } from './errors.ts';
import { errorsByPage } from './errors-by-page.ts';
import { errorsOverTime } from './errors-over-time.ts';

export const errorsDatasets: readonly Dataset[] = [
  errors,
  errorTypes,
  errorsByPage,
  errorSummary,
  errorsOverTime,
];
