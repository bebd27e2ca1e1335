/** Looks into a database of a test, or changes it, past the stores. */
import type { Connection } from 'mongoose';
import { openConnection } from '../../../services/shared/storage/mongodb/open-connection.ts';

/** Gives `work` a connection of its own to the database, and closes it afterwards. */
export async function withDatabase<R>(uri: string, work: (database: Connection) => Promise<R>): Promise<R> {
  const database = await openConnection(uri, { appName: 'tidegate-test' });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
