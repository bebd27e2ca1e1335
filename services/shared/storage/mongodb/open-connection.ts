/** Opens a connection to MongoDB: what every adapter demands of writes, reads and waiting is stated here once. */
import { type Connection, createConnection, mongo } from 'mongoose';
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
 * @throws Error that names hosts, never a password, when no server answers, one refuses, or the string asks for what is not there
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
    await connection.asPromise();
    watchMonitors(connection, { lostAfterLooks: LOST_AFTER_S });
    return connection;
  } catch (fault) {
    await connection.destroy().catch(() => undefined);
    throw new Error(`MONGODB_URI: ${explained(uri, fault)}`, { cause: fault });
  }
}

/** What is to be mended: the string, the credentials, or what is between here and the hosts. */
function explained(uri: string, fault: unknown): string {
  const reason = reasonOf(fault);
  if (isOfString(fault)) return `this connection string cannot be used (${reason})`;
  if (fault instanceof mongo.MongoServerError) return `the server${ofHosts(uri)} refuses (${reason})`;
  return `no server${ofHosts(uri)} answers (${reason}${hintOf(uri, reason)})`;
}

/** Whether the string itself is at fault, or a file that it names. Its parser has a class of its own by the name of the driver's. */
function isOfString(fault: unknown): boolean {
  if (fault instanceof mongo.MongoAPIError) return true;
  return (
    fault instanceof Error &&
    (fault.name === 'MongoParseError' || ('code' in fault && fault.code === 'ENOENT'))
  );
}

/** Servers that answer something else than what is looked for are told of by the driver as if they did not answer. */
function hintOf(uri: string, reason: string): string {
  if (!reason.startsWith('Server selection timed out') || ofHosts(uri) === '') return '';
  const [, name] = /[?&]replicaSet=([\w.-]+)/i.exec(uri) ?? [];
  return name === undefined
    ? '; is it MongoDB that listens there, and do both sides want TLS or neither?'
    : `; is ${name} the name of the replica set, has it a primary, and are its members found by the names that it gives them?`;
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
