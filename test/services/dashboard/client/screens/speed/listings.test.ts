/** Checks that the screen of speed names datasets, columns, groups and filters that the API has. */
import {
  seriesOf,
  speedListing,
  TABS,
} from '../../../../../../services/dashboard/client/screens/speed/listings.ts';
import { VITALS } from '../../../../../../services/dashboard/client/screens/speed/vitals.ts';
import { expectListingKnown, expectSeriesKnown } from '../../../../../support/listing-in-catalogue.ts';

describe('the lists of speed', () => {
  for (const vital of VITALS) {
    it(`are known to the API: ${vital.name}`, () => {
      for (const tab of TABS) expectListingKnown(speedListing(tab, vital));
      expectSeriesKnown(seriesOf(vital));
    });
  }
});
