/** Which of the lists of a screen is open, as the address says; another one begins at its first page, unsearched. */
import { useAddress } from '../address.ts';

/** @returns the open one of `keys`, else the first, and how another one is opened */
export function useTab<Key extends string>(
  keys: readonly [Key, ...Key[]],
): readonly [Key, (key: string) => void] {
  const { parameters, change } = useAddress();
  return [
    keys.find((key) => key === parameters.tab) ?? keys[0],
    (next) => {
      const tab = next === keys[0] ? undefined : next;
      change({ tab, sort: undefined, search: undefined, page: undefined }, true);
    },
  ];
}
