/** Runs a command over the database of MONGODB_URI. */
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import { openConnection } from '../../../services/shared/storage/mongodb/open-connection.ts';
import { answering } from '../../../services/shared/storage/mongodb/outage.ts';
import { Refusal } from '../refusal.ts';

export type MongodbConnection = Awaited<ReturnType<typeof openConnection>>;

/** Size of the connection pool: a command does one thing after another. */
const CONNECTIONS = 4;

/** Opens a connection for `work` and closes it. @throws Refusal when no server answers, at first or later */
export async function withMongodb<T>(
  uri: string,
  work: (connection: MongodbConnection) => Promise<T>,
): Promise<T> {
  const connection = await openConnection(uri, { appName: 'tidegate-cli', maxPoolSize: CONNECTIONS }).catch(
    (fault: Error) => {
      throw new Refusal('UPSTREAM_UNAVAILABLE', fault.message);
    },
  );
  try {
    return await answering(() => work(connection));
  } catch (fault) {
    if (!(fault instanceof ApiError)) throw fault;
    const reason = fault.cause instanceof Error ? ` (${fault.cause.message})` : '';
    throw new Refusal(fault.code, `MongoDB no longer answers${reason}: run the same command again`);
  } finally {
    await connection.destroy().catch(() => undefined);
  }
}
