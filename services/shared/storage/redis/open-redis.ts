/** Makes the clients of Redis, whatever its form: the one place that knows what ioredis wants for each. */
import { createConnection, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { AbstractConnector, Cluster, Redis, type RedisOptions } from 'ioredis';
import type { ClusterAddress, RedisAddress, RedisHost, RedisTls, SentinelAddress } from './redis-address.ts';

/** Longest wait between two attempts to connect, in milliseconds: below the age that a verdict may reach. */
export const LONGEST_RETRY_MS = 1_000;
const CONNECT_MS = 2_000;
/** How long a Sentinel may take to name the master, in milliseconds. */
const SENTINEL_MS = 1_000;
/** A connection that owes an answer and stays silent so long is given up, in milliseconds. */
const SILENCE_MS = 2_000;
/** How often a Cluster is asked which node has which keys, in milliseconds; an answer MOVED asks at once. */
const SLOTS_MS = 2_000;
/** How often one call follows a Cluster to another node. Only what was refused unseen is sent on, so nothing counts twice. */
const MAX_REDIRECTIONS = 4;
const TRY_AGAIN_MS = 50;

const retryMs = (attempt: number): number => Math.min(attempt * 50, LONGEST_RETRY_MS);

/** What holds in every form: nothing waits for a connection, and nothing is sent twice. */
const COMMON = {
  connectTimeout: CONNECT_MS,
  keepAlive: 10_000,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  disableClientInfo: true,
} satisfies RedisOptions;

/** A client that reaches every key: of a Cluster each at its node. */
export function openRedis(address: RedisAddress): Redis | Cluster {
  return address.form === 'cluster' ? openCluster(address) : openConnection(address);
}

/**
 * One connection to a server that tells and hears everything that is published: of a Cluster any of its nodes, and the next
 * one of the address when that is lost. `special` goes before what holds in every form.
 */
export function openConnection(address: RedisAddress, special: RedisOptions = {}): Redis {
  return new Redis({
    ...COMMON,
    ...loginOf(address),
    socketTimeout: SILENCE_MS,
    enableOfflineQueue: false,
    retryStrategy: retryMs,
    // A master that became a replica: its successor is found by connecting anew.
    reconnectOnError: (fault) => fault.message.includes('READONLY'),
    ...whereOf(address),
    ...special,
  });
}

/** What a client reports as its fault; a Cluster tells its reason, the fault of one node, in a property. */
export function reasonOf(fault: Error): Error {
  const reason = 'lastNodeError' in fault ? fault.lastNodeError : null;
  return reason instanceof Error ? new Error(`${fault.message} ${reason.message}`) : fault;
}

function whereOf(address: RedisAddress): RedisOptions {
  switch (address.form) {
    case 'single':
      return { ...address.hosts[0], db: address.database };
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
  return new Cluster([...address.hosts], {
    enableOfflineQueue: false,
    clusterRetryStrategy: retryMs,
    maxRedirections: MAX_REDIRECTIONS,
    // What a node did not answer may have counted there: not sent again. What it refused while keys move was not.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    retryDelayOnTryAgain: TRY_AGAIN_MS,
    slotsRefreshTimeout: SENTINEL_MS,
    slotsRefreshInterval: SLOTS_MS,
    // Names stay names: a certificate is for them.
    dnsLookup: (host, callback) => callback(null, host),
    redisOptions: { ...COMMON, ...loginOf(address), socketTimeout: SILENCE_MS },
  });
}

function loginOf({ username, password, tls }: RedisAddress): RedisOptions {
  const options = tlsOptions(tls);
  return {
    ...(username !== null && { username }),
    ...(password !== null && { password }),
    ...(options && { tls: options }),
  };
}

/** TLS that holds the server to a certificate for its name, always. */
function tlsOptions(tls: RedisTls | null): ConnectionOptions | undefined {
  if (tls === null) return undefined;
  const { ca, cert, key } = tls;
  return {
    ...(ca !== null && { ca }),
    ...(cert !== null && { cert }),
    ...(key !== null && { key }),
  };
}

/** Connects to one of the hosts, each time to the next; the first is any, so that many processes spread over them. */
function takingTurns(hosts: readonly RedisHost[], tls: ConnectionOptions | undefined) {
  let turn = Math.floor(Math.random() * hosts.length);
  return class extends AbstractConnector {
    constructor() {
      super(CONNECT_MS);
    }

    async connect(): Promise<Socket> {
      this.connecting = true;
      const host = hosts[turn++ % hosts.length];
      const stream = tls
        ? connectTls({ ...host, ...tls })
        : createConnection({ ...host, port: host?.port ?? 0 });
      stream.once('error', (fault) => {
        this.firstError = fault;
      });
      this.stream = stream;
      return stream;
    }
  };
}
