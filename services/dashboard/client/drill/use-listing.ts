/** What the address says of a list, and how it is changed. One list of a screen is open at a time, so there is one state. */
import { useAddress } from '../address.ts';
import { type Listing, type ListingState, listingState } from './listing.ts';

export interface ListingView extends ListingState {
  showSort(sort: string): void;
  showPage(page: number): void;
}

export function useListing(listing: Listing): ListingView {
  const { parameters, change } = useAddress();
  return {
    ...listingState(listing, parameters),
    showSort: (next) => change({ sort: next === listing.sort ? undefined : next, page: undefined }, true),
    showPage: (next) => change({ page: next > 1 ? `${next}` : undefined }),
  };
}
