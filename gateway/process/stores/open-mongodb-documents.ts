/** Opens the document store of a database, with its schema as this version needs it. */
import { withLease } from '../../../services/shared/storage/mongodb/lease.ts';
import { requireMigrated } from '../../../services/shared/storage/mongodb/migrate.ts';
import { migrateInTurn } from '../../../services/shared/storage/mongodb/migrate-in-turn.ts';
import { createMongodbDocumentStore } from '../../../services/shared/storage/mongodb/mongodb-document-store.ts';
import { openConnection } from '../../../services/shared/storage/mongodb/open-connection.ts';
import type { DocumentOptions, OpenStore } from './stores.ts';

/** The name of the lease for exclusive work. */
const START_LEASE = 'start';

/** Opens it; the owner brings the schema up to date, others require that it is. @throws Error when the database does not answer */
export async function openMongodbDocuments(
  uri: string,
  { isOwner, clock, logger }: Pick<DocumentOptions, 'isOwner' | 'clock' | 'logger'>,
): Promise<OpenStore> {
  const connection = await openConnection(uri, { appName: 'tidegate documents' });
  try {
    if (isOwner) await migrateInTurn(connection, { told: (step) => logger.info(step) });
    else await requireMigrated(connection);
  } catch (fault) {
    await connection.close();
    throw fault;
  }
  return {
    store: createMongodbDocumentStore({ connection, clock }),
    exclusively: (work) => withLease(connection, START_LEASE, work),
  };
}
