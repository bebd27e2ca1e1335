/** Copies an embedded installation into a database: resumes where an earlier run ended, and compares both at the end. */
import { createHash } from 'node:crypto';
import type { CollectionName } from '../../../services/shared/model/collection-types.ts';
import { COLLECTIONS } from '../../../services/shared/model/collections.ts';
import type { Stored } from '../../../services/shared/model/stored.ts';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import {
  ContentTally,
  documentText,
  EventTally,
  type Tally,
  type WebsiteTally,
} from '../../../services/shared/storage/content-tally.ts';
import type { DumpedEvent, EventDump } from '../../../services/shared/storage/duckdb/dump-events.ts';
import { REPEAT_WINDOW_MS } from '../../../services/shared/storage/event-id-window.ts';
import type { CopyState } from '../../../services/shared/storage/mongodb/copy/copy-state.ts';
import { readCopyState, writeCopyState } from '../../../services/shared/storage/mongodb/copy/copy-state.ts';
import { CopyTarget } from '../../../services/shared/storage/mongodb/copy/copy-target.ts';
import { migrate } from '../../../services/shared/storage/mongodb/migrate.ts';
import type { DocumentDump } from '../../../services/shared/storage/sqlite/dump-documents.ts';
import { Refusal } from '../refusal.ts';
import { differences } from './copy-differences.ts';
import type { MongodbConnection } from './with-mongodb.ts';

/** Every collection by its name in the port. */
const NAMES = Object.keys(COLLECTIONS) as CollectionName[];

/** The comparison reports its progress after this many events. */
const TOLD_EVERY = 1_000;

/** The progress of a copy. */
export interface CopyProgress {
  readonly phase: 'copied' | 'compared';
  readonly events: number;
  readonly ofEvents: number;
  /** Events copied by this run. */
  readonly eventsOfRun: number;
}

export interface CopyOptions {
  readonly documents: DocumentDump;
  readonly events: EventDump;
  readonly connection: MongodbConnection;
  readonly clock: Clock;
  /** Whether to remove what an unfinished copy left, and to start over. */
  readonly restart: boolean;
  /** Called with the next step, and from time to time with the progress. */
  readonly told: (step: string) => void;
  readonly onProgress: (progress: CopyProgress) => void;
}

/** The contents of both sides. */
export interface CopyReport {
  /** By collection name. */
  readonly documents: Readonly<Record<string, Tally>>;
  readonly events: number;
  readonly websites: readonly WebsiteTally[];
  /** Events copied by earlier runs. */
  readonly eventsOfEarlierRuns: number;
}

/** @throws Refusal when the database holds something else, or does not match the files at the end */
export async function copyInstallation(options: CopyOptions): Promise<CopyReport> {
  const target = new CopyTarget(options.connection);
  try {
    return await new InstallationCopy(options, target).run();
  } finally {
    await target.close();
  }
}

class InstallationCopy {
  readonly #options: CopyOptions;
  readonly #target: CopyTarget;

  constructor(options: CopyOptions, target: CopyTarget) {
    this.#options = options;
    this.#target = target;
  }

  async run(): Promise<CopyReport> {
    const { connection, events, told, clock } = this.#options;
    const documents = this.#tallyOfFiles();
    // Checks before anything is written: a database of a newer version is refused.
    await migrate(connection, { dryRun: true, forCopy: true });
    let state = await this.#begin(sourceOf(documents, events));
    await migrate(connection, { forCopy: true, told });
    if (state.phase === 'documents') {
      told('copying the documents');
      await this.#copyDocuments();
      state = await this.#enter({ ...state, phase: 'events' });
    }
    const eventsOfEarlierRuns = state.events;
    if (state.phase === 'events') {
      state = await this.#copyEvents(state);
      state = await this.#enter({ ...state, phase: 'checking' });
    }
    const websites = await this.#compare(documents);
    await this.#enter({ ...state, phase: 'complete', completedAt: new Date(clock.now()).toISOString() });
    return { documents, events: events.events, websites, eventsOfEarlierRuns };
  }

  /** The state to resume from. @throws Refusal when the database does not belong to this copy */
  async #begin(source: string): Promise<CopyState> {
    const { connection, clock, restart, told } = this.#options;
    const startedAt = new Date(clock.now()).toISOString();
    const fresh: CopyState = {
      ...{ phase: 'documents', source, afterRow: -1, events: 0, startedAt, completedAt: null },
    };
    const state = await readCopyState(connection);
    if (state?.phase === 'complete') {
      throw new Refusal(
        'CONFLICT',
        `a copy into this database was completed at ${state.completedAt}; drop the database to copy into it again`,
      );
    }
    if (state === null) {
      const filled = await this.#target.filledCollections();
      if (filled.length === 0) return this.#enter(fresh);
      throw new Refusal(
        'CONFLICT',
        `the database is not empty, and a copy never mixes two installations; set MONGODB_URI to another. It has documents in: ${filled.join(', ')}`,
      );
    }
    if (restart || state.phase === 'clearing') {
      told('removing what the unfinished copy left');
      await this.#enter({ ...fresh, phase: 'clearing' });
      await this.#target.clear();
      return this.#enter(fresh);
    }
    if (state.source === source) {
      told(`resuming the copy begun at ${state.startedAt}, after ${state.events} events`);
      return state;
    }
    throw new Refusal(
      'CONFLICT',
      `the database has an unfinished copy, begun at ${state.startedAt}, of another installation, or of this one before a server changed it again: add --restart to remove that copy and start over`,
    );
  }

  async #enter(state: CopyState): Promise<CopyState> {
    await writeCopyState(this.#options.connection, state);
    return state;
  }

  /** The tallies of the files, of their documents as the database will hold them. */
  #tallyOfFiles(): Record<string, Tally> {
    return Object.fromEntries(
      NAMES.map((collection) => {
        const content = new ContentTally();
        for (const page of this.#options.documents.pages(collection)) {
          for (const document of page) content.add(documentText(this.#target.asHeld(collection, document)));
        }
        return [COLLECTIONS[collection].name, content.tally];
      }),
    );
  }

  async #copyDocuments(): Promise<void> {
    for (const collection of NAMES) {
      for (const page of this.#options.documents.pages(collection)) {
        await this.#target.putDocuments(collection, page);
      }
    }
  }

  /** Reads the next page while one is stored. The state is written after the events that it covers, never before them. */
  async #copyEvents(begun: CopyState): Promise<CopyState> {
    const { events: dump, onProgress } = this.#options;
    let state = begun;
    const earliest = Date.parse(begun.startedAt) - REPEAT_WINDOW_MS;
    const store = async (page: readonly DumpedEvent[]): Promise<void> => {
      await this.#target.putEvents(page, earliest);
      const afterRow = page.at(-1)?.row ?? state.afterRow;
      state = await this.#enter({ ...state, afterRow, events: state.events + page.length });
      const eventsOfRun = state.events - begun.events;
      onProgress({ phase: 'copied', events: state.events, ofEvents: dump.events, eventsOfRun });
    };
    let storing = Promise.resolve();
    for await (const page of dump.pages(begun.afterRow)) {
      await storing;
      storing = store(page);
      // Awaited above or below; until then nothing else handles its rejection.
      storing.catch(() => undefined);
    }
    await storing;
    return state;
  }

  /** @throws Refusal that names every difference */
  async #compare(documents: Readonly<Record<string, Tally>>): Promise<readonly WebsiteTally[]> {
    this.#options.told('comparing everything');
    const there: Record<string, Tally> = {};
    for (const collection of NAMES) {
      there[COLLECTIONS[collection].name] = await tallyOf(this.#target.documents(collection));
    }
    const here = await this.#tallyOfDump();
    const inDatabase = await this.#tallyOfDatabase();
    const found = differences({ documents, events: here }, { documents: there, events: inDatabase });
    if (found.length > 0)
      throw new Refusal('CONFLICT', 'the database does not hold what the files hold', found);
    return [...here.values()];
  }

  async #tallyOfDump(): Promise<ReadonlyMap<string, WebsiteTally>> {
    const tally = new EventTally();
    for await (const page of this.#options.events.pages(-1)) {
      for (const { event } of page) tally.add(event);
    }
    return tally.tallies;
  }

  async #tallyOfDatabase(): Promise<ReadonlyMap<string, WebsiteTally>> {
    const { events: dump, onProgress } = this.#options;
    const tally = new EventTally();
    let events = 0;
    for await (const event of this.#target.events()) {
      tally.add(event);
      events++;
      if (events % TOLD_EVERY !== 0) continue;
      onProgress({ phase: 'compared', events, ofEvents: dump.events, eventsOfRun: events });
    }
    return tally.tallies;
  }
}

async function tallyOf(documents: AsyncGenerator<Stored>): Promise<Tally> {
  const content = new ContentTally();
  for await (const document of documents) content.add(documentText(document));
  return content.tally;
}

/** Identifies these files in their present state. */
function sourceOf(documents: Readonly<Record<string, Tally>>, { fingerprint }: EventDump): string {
  return createHash('sha256')
    .update(JSON.stringify([documents, fingerprint]))
    .digest('hex');
}
