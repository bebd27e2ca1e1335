/** Measures that the statement of a sequence computes. */
import type { Measure } from './measure.ts';

export const OF_SEQUENCE: Measure = { kind: 'ofSequence' };
export const MEDIAN_OF_SEQUENCE: Measure = { kind: 'ofSequence', percent: 50 };
