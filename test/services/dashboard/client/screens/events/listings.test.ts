/** Checks that the screen of events names datasets, columns and filters that the API has, and by what a property filters. */
import { expect } from 'chai';
import { filtersOfCell } from '../../../../../../services/dashboard/client/drill/listing.ts';
import {
  EVENTS,
  OUTBOUND_HOSTS,
  OUTBOUND_LINKS,
  ofEvent,
  openedListings,
  SERIES,
  TOTALS_OF_ALL,
} from '../../../../../../services/dashboard/client/screens/events/listings.ts';
import {
  expectFiltersKnown,
  expectListingKnown,
  expectSeriesKnown,
  expectTotalsKnown,
} from '../../../../../support/listing-in-catalogue.ts';

describe('the lists of events', () => {
  it('are known to the API, those of one event too', () => {
    const lists = [EVENTS, OUTBOUND_LINKS, OUTBOUND_HOSTS, ...Object.values(openedListings('signup'))];
    for (const listing of lists) expectListingKnown(listing);
    expectTotalsKnown(TOTALS_OF_ALL);
    expectSeriesKnown(SERIES);
    for (const { dataset } of [SERIES, ...TOTALS_OF_ALL]) expectFiltersKnown(dataset, ofEvent('signup'));
  });

  it('filter by the property of the row that is clicked, as far as its key can be one', () => {
    const [, value] = openedListings('signup').properties.columns;
    if (value === undefined) throw new Error('no column of values');
    const clicked = (property_key: string, property_value: string) =>
      filtersOfCell({ property_key, property_value }, value).map((filter) => [
        filter.dimension,
        filter.value,
      ]);
    expect(clicked('plan', 'pro')).to.deep.equal([['properties.plan', 'pro']]);
    expect(clicked('plan', 'Unknown')).to.deep.equal([['properties.plan', 'Unknown']]);
    expect(clicked('x'.repeat(129), 'pro')).to.deep.equal([]);
    expect(clicked('plan', '')).to.deep.equal([]);
  });
});
