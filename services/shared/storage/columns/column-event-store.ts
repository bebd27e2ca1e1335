/** Events that MongoDB keeps and columns answer for: appends and look-ups go to the documents, queries to the columns. */
import type { EventRecord } from '../../model/event-record.ts';
import type { EventExporter } from '../../ports/event-export.ts';
import type {
  AppendOutcome,
  CompiledQuery,
  EventKeeper,
  EventRead,
  EventSelection,
  EventStore,
  RawRow,
} from '../../ports/event-store.ts';
import type { ProfileEvents } from '../../ports/profile-events.ts';
import type { MongodbColumns } from './mongodb-columns.ts';
import { peopleOfPartitions } from './people-of-partitions.ts';

export class ColumnEventStore implements EventStore {
  readonly exporter: EventExporter;
  readonly profileEvents: ProfileEvents;
  readonly #events: EventKeeper;
  readonly #columns: Pick<MongodbColumns, 'run' | 'exporter' | 'noteStored' | 'coldWebsites'>;

  /** `events` erases from the columns too. */
  constructor(
    events: EventKeeper,
    columns: Pick<MongodbColumns, 'run' | 'exporter' | 'noteStored' | 'coldWebsites'>,
  ) {
    this.#events = events;
    this.#columns = columns;
    this.exporter = columns.exporter;
    this.profileEvents = peopleOfPartitions(events.profileEvents, columns);
  }

  async append(events: readonly EventRecord[]): Promise<AppendOutcome> {
    const outcome = await this.#events.append(events);
    this.#columns.noteStored(events);
    return outcome;
  }

  findRepeats(events: readonly EventRecord[]): Promise<readonly boolean[]> {
    return this.#events.findRepeats(events);
  }

  run(query: CompiledQuery, read: EventRead): Promise<readonly RawRow[]> {
    return this.#columns.run(query, read);
  }

  erase(selection: EventSelection, signal?: AbortSignal): Promise<number> {
    return this.#events.erase(selection, signal);
  }

  ping(): Promise<void> {
    return this.#events.ping();
  }

  close(): Promise<void> {
    return this.#events.close();
  }
}
