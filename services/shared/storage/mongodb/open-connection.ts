/** Opens a connection to MongoDB; the one place for what every adapter demands of writes, reads and waiting. */
import { type Connection, createConnection, mongo } from 'mongoose';
import { failWritesOfClosedConnections } from './closed-writes.ts';

/** The database when the connection string names none. */
const DEFAULT_DATABASE = 'tidegate';

/** How long a start, and later a command, searches for a server that can answer, in milliseconds. */
const SELECTION_MS = 5_000;

/**
 * How long a connection may be silent during a command before it counts as broken, in milliseconds; longer than every
 * maxTimeMS.
 */
const SOCKET_MS = 60_000;

/**
 * How often a server is checked, in milliseconds: a frozen one is found within this plus SELECTION_MS. It is also the
 * shortest time between two checks.
 */
const HEARTBEAT_MS = 2_000;

export interface ConnectionOptions {
  /** Appears in the server's log and in its list of connections. */
  readonly appName: string;
  /** How many connections each server may have. Default 50. */
  readonly maxPoolSize?: number;
}

/**
 * A connection of its own, with no global model. Writes are acknowledged when a majority has them on disk. The
 * connection string's `readPreference` applies where a store demands nothing else.
 * @throws Error that names hosts, never a password, when no server answers, one refuses, or the string asks for what is not there
 */
export async function openConnection(
  uri: string,
  { appName, maxPoolSize = 50 }: ConnectionOptions,
): Promise<Connection> {
  failWritesOfClosedConnections();
  const connection = createConnection(uri, {
    appName,
    maxPoolSize,
    serverSelectionTimeoutMS: SELECTION_MS,
    connectTimeoutMS: SELECTION_MS,
    socketTimeoutMS: SOCKET_MS,
    heartbeatFrequencyMS: HEARTBEAT_MS,
    minHeartbeatFrequencyMS: HEARTBEAT_MS,
    // Each by its own name: `writeConcern` as a whole would give way to `journal=false` in the connection string.
    w: 'majority',
    journal: true,
    retryWrites: true,
    // Indexes are created by `tidegate migrate` and at the start of one process, never implicitly.
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    ...(namesDatabase(uri) ? {} : { dbName: DEFAULT_DATABASE }),
  });
  try {
    await connection.asPromise();
    return connection;
  } catch (fault) {
    await connection.destroy().catch(() => undefined);
    throw new Error(`MONGODB_URI: ${explained(uri, fault)}`, { cause: fault });
  }
}

/** What to fix: the string, the credentials, or what lies between here and the hosts. */
function explained(uri: string, fault: unknown): string {
  const reason = reasonOf(fault);
  if (isOfString(fault)) return `this connection string cannot be used (${reason})`;
  if (fault instanceof mongo.MongoServerError) return `the server${ofHosts(uri)} refuses (${reason})`;
  return `no server${ofHosts(uri)} answers (${reason}${hintOf(uri, reason)})`;
}

/**
 * Whether the string itself is at fault, or a file that it names. Its parser has an error class of the same name as the
 * driver's.
 */
function isOfString(fault: unknown): boolean {
  if (fault instanceof mongo.MongoAPIError) return true;
  return (
    fault instanceof Error &&
    (fault.name === 'MongoParseError' || ('code' in fault && fault.code === 'ENOENT'))
  );
}

/** The driver reports servers of another kind than the wanted one as if they did not answer. */
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

/** Hosts as a connection string may contain them: names, addresses and sockets, each with or without a port. */
const HOSTS = /^(?:(?:[\w.-]+|\[[\da-f:.]+\]|%2F[\w.%-]+)(?::\d{1,5})?(?:,|$))+$/i;

/** " of HOSTS", without user and password; empty when the hosts could contain parts of these. */
function ofHosts(uri: string): string {
  const [, hosts = '', rest = ''] = /^mongodb(?:\+srv)?:\/\/(?:[^@/?#]*@)?([^@/?#]*)(.*)$/s.exec(uri) ?? [];
  return HOSTS.test(hosts) && !rest.includes('@') ? ` of ${hosts}` : '';
}

function reasonOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
