/** Opens a connection to MongoDB: what every adapter demands of writes, reads and waiting is stated here once. */
import { type Connection, createConnection } from 'mongoose';
import { watchMonitors } from './monitor-watch.ts';

/** The database when the connection string names none. */
const DEFAULT_DATABASE = 'tidegate';

/** How long a start, and later a command, looks for a server that can answer, in milliseconds. */
const SELECTION_MS = 5_000;

/** How long a connection may be silent under a command before it counts as broken, in milliseconds; above every maxTimeMS. */
const SOCKET_MS = 60_000;

/**
 * How often a server is asked whether it is there, in milliseconds: a frozen one is found within this and SELECTION_MS.
 * It is also the least time between two such questions. The driver would otherwise ask at once when a command lost its
 * connection, often over a monitor's connection that is about to close, and then wait for ever (see `watchMonitors`).
 */
const HEARTBEAT_MS = 2_000;

/** Seconds without an outcome after which a heartbeat is lost: the driver gives connecting and asking SELECTION_MS each. */
const LOST_AFTER_S = 12;

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
    heartbeatFrequencyMS: HEARTBEAT_MS,
    minHeartbeatFrequencyMS: HEARTBEAT_MS,
    writeConcern: { w: 'majority', journal: true },
    retryWrites: true,
    // Indexes are made by `tidegate migrate` and at the start of one process, never by the way.
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    ...(namesDatabase(uri) ? {} : { dbName: DEFAULT_DATABASE }),
  });
  try {
    await connection.asPromise();
    watchMonitors(connection, { lostAfterLooks: LOST_AFTER_S });
    return connection;
  } catch (fault) {
    await connection.destroy().catch(() => undefined);
    throw new Error(`MONGODB_URI: no server of ${hostsOf(uri)} answers (${reasonOf(fault)})`, {
      cause: fault,
    });
  }
}

function namesDatabase(uri: string): boolean {
  return /^mongodb(?:\+srv)?:\/\/[^/?]+\/[^?]+/.test(uri);
}

/** Hosts of a connection string, without user and password. */
function hostsOf(uri: string): string {
  return uri
    .replace(/^mongodb(?:\+srv)?:\/\//, '')
    .replace(/[/?].*$/, '')
    .replace(/^.*@/, '');
}

function reasonOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
