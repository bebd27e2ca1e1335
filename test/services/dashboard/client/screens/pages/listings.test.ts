/** Checks that the screen of pages names datasets and columns that the API has. */
import {
  LISTINGS,
  TABS,
  TOTALS,
} from '../../../../../../services/dashboard/client/screens/pages/listings.ts';
import { expectListingKnown, expectTotalsKnown } from '../../../../../support/listing-in-catalogue.ts';

describe('the lists of pages', () => {
  for (const tab of TABS) it(`are known to the API: ${tab}`, () => expectListingKnown(LISTINGS[tab]));

  it('have totals that are known to the API', () => expectTotalsKnown(TOTALS));
});
