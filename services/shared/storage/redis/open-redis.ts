/** Creates Redis clients for every form of address: the one place that knows what ioredis needs for each. */
import type { ConnectionOptions } from 'node:tls';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { ClusterAddress, RedisAddress, RedisTls, SentinelAddress } from './redis-address.ts';
import { ToHost, ToMaster, takingTurns } from './redis-connectors.ts';

/** Longest wait between two attempts to connect, in milliseconds: below the age that a verdict may reach. */
export const LONGEST_RETRY_MS = 1_000;
const CONNECT_MS = 2_000;
/** How long a Sentinel may take to name the master, in milliseconds. */
const SENTINEL_MS = 1_000;
/** How long a connection may owe an answer in silence before it is given up, in milliseconds. */
const SILENCE_MS = 2_000;
/** How often a Cluster is asked which node has which keys, in milliseconds; a MOVED answer causes this at once. */
const SLOTS_MS = 2_000;
/**
 * How often one call follows redirects within a Cluster. Only calls that a node refused unread are redirected, so nothing
 * counts twice.
 */
const MAX_REDIRECTIONS = 4;
const TRY_AGAIN_MS = 50;

const retryMs = (attempt: number): number => Math.min(attempt * 50, LONGEST_RETRY_MS);

/** Options for every form: nothing waits for a connection, and nothing is sent twice. */
const COMMON = {
  connectTimeout: CONNECT_MS,
  keepAlive: 10_000,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  disableClientInfo: true,
} satisfies RedisOptions;

/** A client that reaches every key; in a Cluster, each at its node. */
export function openRedis(address: RedisAddress): Redis | Cluster {
  return address.form === 'cluster' ? openCluster(address) : openConnection(address);
}

/**
 * One connection to a server that can publish and subscribe: in a Cluster any node, and after a loss the next one of the
 * address. `special` precedes the options for every form.
 */
export function openConnection(address: RedisAddress, special: RedisOptions = {}): Redis {
  return new Redis({
    ...COMMON,
    ...loginOf(address),
    socketTimeout: SILENCE_MS,
    enableOfflineQueue: false,
    retryStrategy: retryMs,
    // A master that became a replica: reconnecting finds its successor.
    reconnectOnError: (fault) => fault.message.includes('READONLY'),
    ...whereOf(address),
    ...special,
  });
}

/** The fault that a client reports; a Cluster hides its reason, the fault of one node, in a property. */
export function reasonOf(fault: Error): Error {
  const reason = 'lastNodeError' in fault ? fault.lastNodeError : null;
  return reason instanceof Error ? new Error(`${fault.message} ${reason.message}`) : fault;
}

function whereOf(address: RedisAddress): RedisOptions {
  switch (address.form) {
    case 'single':
      return { ...address.hosts[0], db: address.database, Connector: ToHost };
    case 'sentinel':
      return sentinelOptions(address);
    case 'cluster':
      return { Connector: takingTurns(address.hosts, tlsOptions(address.tls)) };
  }
}

function sentinelOptions(address: SentinelAddress): RedisOptions {
  const { sentinelUsername, sentinelPassword } = address;
  const tls = tlsOptions(address.tls);
  return {
    Connector: ToMaster,
    sentinels: [...address.hosts],
    name: address.master,
    role: 'master',
    sentinelRetryStrategy: retryMs,
    sentinelCommandTimeout: SENTINEL_MS,
    ...(sentinelUsername !== null && { sentinelUsername }),
    ...(sentinelPassword !== null && { sentinelPassword }),
    ...(tls && { sentinelTLS: tls, enableTLSForSentinelMode: true }),
  };
}

function openCluster(address: ClusterAddress): Cluster {
  const cluster = new Cluster([...address.hosts], {
    enableOfflineQueue: false,
    clusterRetryStrategy: retryMs,
    maxRedirections: MAX_REDIRECTIONS,
    // What a node did not answer may have counted there, so it is not sent again. What it refused while keys move did not
    // count.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    retryDelayOnTryAgain: TRY_AGAIN_MS,
    slotsRefreshTimeout: SENTINEL_MS,
    // Names stay names, since certificates are issued for them.
    dnsLookup: (host, callback) => callback(null, host),
    redisOptions: { ...COMMON, ...loginOf(address), socketTimeout: SILENCE_MS, Connector: ToHost },
  });
  // A client's own `slotsRefreshInterval` goes on for ever where the client is closed while an answer is due.
  const asking = setInterval(() => {
    if (cluster.status === 'ready') cluster.refreshSlotsCache(() => undefined);
  }, SLOTS_MS).unref();
  cluster.once('end', () => clearInterval(asking));
  return cluster;
}

function loginOf({ username, password, tls }: RedisAddress): RedisOptions {
  const options = tlsOptions(tls);
  return {
    ...(username !== null && { username }),
    ...(password !== null && { password }),
    ...(options && { tls: options }),
  };
}

/** TLS that always requires a certificate for the server's name. */
function tlsOptions(tls: RedisTls | null): ConnectionOptions | undefined {
  if (tls === null) return undefined;
  const { ca, cert, key } = tls;
  return {
    ...(ca !== null && { ca }),
    ...(cert !== null && { cert }),
    ...(key !== null && { key }),
  };
}
