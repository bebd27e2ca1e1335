/** Opens a connection to MongoDB: what every adapter demands of writes, reads and waiting is stated here once. */
import { type Connection, createConnection } from 'mongoose';
import { ApiError } from '../../errors/api-error.ts';

/** The database when the connection string names none. */
const DEFAULT_DATABASE = 'tidegate';

/** How long a start, and later a command, looks for a server that can answer, in milliseconds. */
const SELECTION_MS = 5_000;

/** How long a connection may be silent under a command before it counts as broken, in milliseconds; above every maxTimeMS. */
const SOCKET_MS = 60_000;

export interface ConnectionOptions {
  /** Shown in the server's log and in its list of connections. */
  readonly appName: string;
  /** Most connections to each server. Default 50. */
  readonly maxPoolSize?: number;
}

/**
 * A connection of its own, with no global model. Writes are acknowledged when a majority has them on disk; what the
 * connection string says of reads (`readPreference`) holds where a store asks for nothing else.
 * @throws Error that names hosts, never a password, when no server answers
 */
export async function openConnection(
  uri: string,
  { appName, maxPoolSize = 50 }: ConnectionOptions,
): Promise<Connection> {
  const connection = createConnection(uri, {
    appName,
    maxPoolSize,
    serverSelectionTimeoutMS: SELECTION_MS,
    connectTimeoutMS: SELECTION_MS,
    socketTimeoutMS: SOCKET_MS,
    // Each by its own name: `writeConcern` as one would give way to `journal=false` of the connection string.
    w: 'majority',
    journal: true,
    retryWrites: true,
    // Indexes are made by `tidegate migrate` and at the start of one process, never by the way.
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    ...(namesDatabase(uri) ? {} : { dbName: DEFAULT_DATABASE }),
  });
  try {
    return await connection.asPromise();
  } catch (fault) {
    await connection.destroy().catch(() => undefined);
    throw new Error(`MONGODB_URI: no server${ofHosts(uri)} answers (${reasonOf(fault)})`, {
      cause: fault,
    });
  }
}

/** Runs an action of a store. @throws ApiError SERVICE_UNAVAILABLE in place of what a lost or refusing server caused */
export async function answering<R>(action: () => Promise<R>): Promise<R> {
  try {
    return await action();
  } catch (fault) {
    throw isOutage(fault) ? new ApiError('SERVICE_UNAVAILABLE', { cause: fault }) : fault;
  }
}

/** Names of driver and mongoose errors that say that no server answered in time, whatever was asked. */
const OUTAGES: ReadonlySet<string> = new Set([
  'MongooseServerSelectionError',
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoPoolClosedError',
  'MongoTopologyClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoWriteConcernError',
  'MongoOperationTimeoutError',
]);

/** Labels of errors after which another try may succeed: elections, lost connections. */
const OUTAGE_LABELS = ['RetryableWriteError', 'RetryableError', 'TransientTransactionError'];

/** Whether the server is at fault, not the request. */
export function isOutage(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false;
  if (OUTAGES.has(fault.name)) return true;
  const { hasErrorLabel } = fault as { hasErrorLabel?: (label: string) => boolean };
  return (
    typeof hasErrorLabel === 'function' && OUTAGE_LABELS.some((label) => hasErrorLabel.call(fault, label))
  );
}

function namesDatabase(uri: string): boolean {
  return /^mongodb(?:\+srv)?:\/\/[^/?]+\/[^?]+/.test(uri);
}

/** Hosts as they may stand in a connection string: names, addresses and sockets, each with a port or without. */
const HOSTS = /^(?:(?:[\w.-]+|\[[\da-f:.]+\]|%2F[\w.%-]+)(?::\d{1,5})?(?:,|$))+$/i;

/** " of HOSTS", without user and password; empty where a part of these may stand in the place of hosts. */
function ofHosts(uri: string): string {
  const [, hosts = '', rest = ''] = /^mongodb(?:\+srv)?:\/\/(?:[^@/?#]*@)?([^@/?#]*)(.*)$/s.exec(uri) ?? [];
  return HOSTS.test(hosts) && !rest.includes('@') ? ` of ${hosts}` : '';
}

function reasonOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
