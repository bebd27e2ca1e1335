/** Connects ioredis to a server, so that a connection which fails late never ends the process. */
import { createConnection, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { AbstractConnector, type RedisOptions, SentinelConnector } from 'ioredis';
import type { RedisHost } from './redis-address.ts';

/** How long a server may take to close a connection that the client has ended, in milliseconds. */
const END_MS = 2_000;

/**
 * ioredis listens for one error of a connection only. A TLS connection can report more: the reason why it failed, and the
 * alert of a server to which it was closed amid the handshake.
 */
function withLateErrors<T extends Socket>(stream: T): T {
  stream.on('error', () => {});
  return stream;
}

/** Connects to the host and port that `next` tells. */
abstract class HostConnector extends AbstractConnector {
  readonly #next: () => RedisHost;
  readonly #tls: ConnectionOptions | undefined;

  constructor(next: () => RedisHost, tls: ConnectionOptions | undefined) {
    super(END_MS);
    this.#next = next;
    this.#tls = tls;
  }

  async connect(): Promise<Socket> {
    this.connecting = true;
    const { host, port } = this.#next();
    const stream = this.#tls ? connectTls({ host, port, ...this.#tls }) : createConnection({ host, port });
    stream.once('error', (fault) => {
      this.firstError = fault;
    });
    this.stream = withLateErrors(stream);
    return stream;
  }
}

/** Connects to the `host` and `port` of its options. */
export class ToHost extends HostConnector {
  constructor(options: unknown) {
    const { host = '127.0.0.1', port = 6379, tls } = options as RedisOptions;
    super(() => ({ host, port }), tls);
  }
}

/** Connects to one of the hosts, each time to the next; the first is random, so that many processes spread over them. */
export function takingTurns(hosts: readonly RedisHost[], tls: ConnectionOptions | undefined) {
  let turn = Math.floor(Math.random() * hosts.length);
  return class extends HostConnector {
    constructor() {
      super(() => hosts[turn++ % hosts.length] as RedisHost, tls);
    }
  };
}

/** Connects to the master that a Sentinel names. */
export class ToMaster extends SentinelConnector {
  constructor(options: unknown) {
    super(options as ConstructorParameters<typeof SentinelConnector>[0]);
  }

  override async connect(...told: Parameters<SentinelConnector['connect']>) {
    return withLateErrors(await super.connect(...told));
  }
}
