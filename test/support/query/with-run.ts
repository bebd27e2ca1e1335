/** An event store whose queries a test answers, or watches; everything else is the store's. */
import type { EventStore } from '../../../services/shared/ports/event-store.ts';

export function withRun(events: EventStore, run: EventStore['run']): EventStore {
  return {
    profileEvents: events.profileEvents,
    append: (records) => events.append(records),
    findRepeats: (records) => events.findRepeats(records),
    erase: (selection) => events.erase(selection),
    run,
    ping: () => events.ping(),
    close: () => events.close(),
  };
}
