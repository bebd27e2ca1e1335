/** The limit that admits nothing: decided beside others it asks which of them are full, and lets none of them count. */
import type { LimitUse } from '../ports/counter-store.ts';

/**
 * Put behind the uses of a request, it has the store refuse: the states of the others then say which are violated, and
 * nothing was counted. It is counted nowhere itself, and counts locally without a store, so that no rule lets it pass.
 */
export const NOTHING_PASSES: LimitUse = {
  name: 'nothing-passes',
  limit: 0,
  windowMs: 1_000,
  cost: 1,
  algorithm: 'fixed',
  onStoreFailure: 'local',
};
