/** A document store that lets others run around each of its calls, as one does that stands in another process. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CollectionName } from '../../services/shared/model/collection-types.ts';
import { COLLECTIONS } from '../../services/shared/model/collections.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';

/** The most turns of the event loop that pass before and after a call. */
const MOST_TURNS = 12;

/** Makes every call to a collection of the store wait some turns, a number that varies by `seed` (from 1), before it acts and after. */
export function makeYielding(store: DocumentStore, seed: number): void {
  let state = seed;
  const wait = async (): Promise<void> => {
    // Park and Miller's generator: the same turns at every run of a test.
    state = (state * 48_271) % 2_147_483_647;
    for (let turns = state % (MOST_TURNS + 1); turns > 0; turns--) await nextTurn();
  };
  for (const name of Object.keys(COLLECTIONS) as CollectionName[]) {
    const collection = store[name] as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
    for (const method of [
      'insert',
      'insertWithin',
      'get',
      'findUnique',
      'list',
      'search',
      'all',
      'update',
      'remove',
    ]) {
      const act = collection[method]?.bind(collection);
      if (!act) throw new Error(`${name} has no ${method}`);
      collection[method] = async (...given) => {
        await wait();
        const result = await act(...given);
        await wait();
        return result;
      };
    }
  }
}
