/** Clean-ups over a store of documents and an eraser of events that only notes what it is asked. */

import { type Cleanups, createCleanups } from '../../services/resources/cleanup/cleanups.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import type { EventEraser, EventSelection } from '../../services/shared/ports/event-store.ts';
import { NO_PROFILE_EVENTS } from './no-profile-events.ts';

export interface TestCleanups {
  readonly cleanups: Cleanups;
  /** What was erased, in order. */
  readonly erased: EventSelection[];
}

/** Not started: what is woken waits, what is carried out at once is done. `erase` stands for the eraser's own work. */
export function createTestCleanups(
  documents: DocumentStore,
  clock: Clock,
  erase: EventEraser['erase'] = async () => 0,
): TestCleanups {
  const erased: EventSelection[] = [];
  const events: EventEraser = {
    async erase(selection) {
      const count = await erase(selection);
      erased.push(selection);
      return count;
    },
  };
  const log = { info() {}, warn() {} };
  return {
    erased,
    cleanups: createCleanups({ documents, events, profileEvents: NO_PROFILE_EVENTS, clock, log }),
  };
}
