/** A text about a list of the overview. */
import type { List } from '../panels.ts';

/** A list without one has an empty one; a missing one does not compile where the lists are named. */
export const listText = (catalogue: Readonly<Record<string, string>>, { dataset }: List): string =>
  catalogue[dataset] ?? '';
