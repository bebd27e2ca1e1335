/** The datasets of short links, in the order that clients see. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { linkClicksByDay } from './link-clicks-by-day.ts';
import { linkTopBrowsers } from './link-top-browsers.ts';
import { linkTopCities } from './link-top-cities.ts';
import { linkTopCountries } from './link-top-countries.ts';
import { linkTopDevices } from './link-top-devices.ts';
import { linkTopReferrers } from './link-top-referrers.ts';
import { linkTotalClicks } from './link-total-clicks.ts';
import { linkTotals } from './link-totals.ts';

export const linksDatasets: readonly Dataset[] = [
  linkTotals,
  linkTotalClicks,
  linkClicksByDay,
  linkTopReferrers,
  linkTopCountries,
  linkTopCities,
  linkTopDevices,
  linkTopBrowsers,
];
