/** What the address says of a list, and how it is changed. */
import { useAddress } from '../address.ts';
import { type Listing, type ListingState, listingState } from './listing.ts';

export interface ListingView extends ListingState {
  showSort(sort: string): void;
  showPage(page: number): void;
}

/** `name`: tells lists apart that a screen shows beside each other; the first one has none, and the search. */
export function useListing(listing: Listing, name = ''): ListingView {
  const { parameters, change } = useAddress();
  const [sortName, pageName] = [`${name}sort`, `${name}page`];
  const { search } = name === '' ? parameters : {};
  return {
    ...listingState(listing, { sort: parameters[sortName], page: parameters[pageName], search }),
    showSort: (next) =>
      change({ [sortName]: next === listing.sort ? undefined : next, [pageName]: undefined }, true),
    showPage: (next) => change({ [pageName]: next > 1 ? `${next}` : undefined }),
  };
}
