/** A limit that admits nothing: when it is decided together with others, it shows which of them are full, and none counts. */
import type { LimitUse } from '../../services/shared/ports/counter-store.ts';

/**
 * Added to the uses of a request, it makes the store refuse: the states of the others then say which are violated, and
 * nothing was counted. It is never counted itself, and counts locally without a store, so that no rule lets it pass.
 */
export const NOTHING_PASSES: LimitUse = {
  name: 'nothing-passes',
  limit: 0,
  windowMs: 1_000,
  cost: 1,
  algorithm: 'fixed',
  onStoreFailure: 'local',
};
