/** Events that name nobody, for tests of what has nothing to do with people. */
import type { ProfileEvents } from '../../services/shared/ports/profile-events.ts';

export const NO_PROFILE_EVENTS: ProfileEvents = {
  visitors: async () => [],
  keyedToOthers: async () => [],
  counts: async () => [],
};
