/** Checks that the screen of errors names datasets, columns and filters that the API has, and how it names a message. */
import { expect } from 'chai';
import {
  MESSAGES,
  MOST_OF_MESSAGE,
  messageFilter,
  ofMessage,
  openedListings,
  SERIES,
  TOTALS_OF_ALL,
} from '../../../../../../services/dashboard/client/screens/errors/listings.ts';
import {
  expectFiltersKnown,
  expectListingKnown,
  expectSeriesKnown,
  expectTotalsKnown,
} from '../../../../../support/listing-in-catalogue.ts';

describe('the lists of errors', () => {
  it('are known to the API, those of one message too', () => {
    for (const listing of [MESSAGES, ...Object.values(openedListings('x'))]) expectListingKnown(listing);
    expectTotalsKnown(TOTALS_OF_ALL);
    expectSeriesKnown(SERIES);
    for (const message of ['x', 'Unknown', 'x'.repeat(MOST_OF_MESSAGE)]) {
      for (const { dataset } of [SERIES, ...TOTALS_OF_ALL]) expectFiltersKnown(dataset, ofMessage(message));
    }
  });

  it('are those of the message alone; of a long one, of what begins with it', () => {
    expect(ofMessage(undefined)).to.deep.equal([]);
    expect(ofMessage('x')).to.deep.equal([{ field: 'message', op: 'eq', value: 'x' }]);
    const long = 'x'.repeat(MOST_OF_MESSAGE);
    expect(ofMessage(long)).to.deep.equal([{ field: 'message', op: 'starts_with', value: long }]);
  });

  it('without a message are those that have none, and those that say what the list calls them', () => {
    expect(ofMessage('Unknown')).to.deep.equal([
      {
        any: [
          { field: 'message', op: 'missing' },
          { field: 'message', op: 'eq', value: 'Unknown' },
        ],
      },
    ]);
    expect(messageFilter('Unknown')).to.include({ operator: 'missing', of: 'session' });
    expect(messageFilter('x')).to.include({ operator: 'eq', value: 'x', of: 'session' });
  });
});
