/** The datasets about where visitors are, in the order that clients see. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { cities } from './cities.ts';
import { countries } from './countries.ts';
import { regions } from './regions.ts';

export const placesDatasets: readonly Dataset[] = [countries, regions, cities];
