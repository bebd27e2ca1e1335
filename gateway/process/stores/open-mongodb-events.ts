/** Opens the event store of a database, with the columns that answer its queries. */
import { dirname, join } from 'node:path';
import type { ColumnsSettings } from '../../../config/columns-settings.ts';
import type { EventStoreSettings } from '../../../config/event-store-settings.ts';
import { ColumnEventStore } from '../../../services/shared/storage/columns/column-event-store.ts';
import { MongodbColumns } from '../../../services/shared/storage/columns/mongodb-columns.ts';
import { createMongodbEventStore } from '../../../services/shared/storage/mongodb/mongodb-event-store.ts';
import { openConnection } from '../../../services/shared/storage/mongodb/open-connection.ts';
import type { Closers } from '../all-or-nothing.ts';
import type { EventOptions, OpenEvents } from './stores.ts';

/** Opens it on an existing schema; `closers` gets the function that closes it. @throws Error when the database does not answer */
export async function openMongodbEvents(
  uri: string,
  settings: ColumnsSettings & Pick<EventStoreSettings, 'answersMb'>,
  { path, clock, logger }: EventOptions,
  closers: Closers,
): Promise<OpenEvents> {
  const directory = join(dirname(path), 'columns');
  const columns = new MongodbColumns({ uri, directory, ...settings, logger });
  const connection = await openConnection(uri, { appName: 'tidegate events' });
  const stored = await createMongodbEventStore({ connection, clock, segments: columns }).catch(
    async (fault) => {
      await connection.close();
      throw fault;
    },
  );
  closers.push(async () => {
    await Promise.all([stored.close(), columns.close()]);
  });
  const events = new ColumnEventStore(stored, columns);
  return {
    events,
    exporter: events.exporter,
    compactor: null,
    copier: null,
    waitingEvents: () => stored.waitingEvents,
    warmUp: () => columns.warmUp(),
    builds: () => columns.status,
    answers: () => columns.answers,
  };
}
