/** Bounds on client connections: a total, a share per address, and a deadline for the first byte; and what was closed, told. */
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { addressSubject } from '../../../services/shared/plans/public-limit.ts';
import type { Count, Metrics } from '../../../services/shared/ports/metrics.ts';
import { UnderWay } from '../../../services/shared/turns/under-way.ts';
import { defaultConnections, defaultConnectionsPerAddress, openFileLimit } from './open-files.ts';

export interface ConnectionLimits {
  /** Maximum connections of all clients. */
  readonly most: number;
  /** Maximum connections of one IPv4 address or IPv6 /64. */
  readonly mostPerAddress: number;
}

/** Unset limits are derived from the number of files this process may open. */
export function connectionLimits(set: {
  readonly maxConnections: number | null;
  readonly maxConnectionsPerAddress: number | null;
}): ConnectionLimits {
  const most = set.maxConnections ?? defaultConnections(openFileLimit());
  return { most, mostPerAddress: set.maxConnectionsPerAddress ?? defaultConnectionsPerAddress(most) };
}

/** How long a new connection may be silent, and how often that is checked, in milliseconds. */
export const FIRST_BYTE_MS = 10_000;
const LOOK_EVERY_MS = 1_000;
/** The shortest time between two log lines about closed connections, in milliseconds. */
const LOG_EVERY_MS = 60_000;
/** Refused connections that get an answer at a time; further ones are closed without one. */
const MOST_TOLD = 64;
/** How long a refused connection may take to read the answer, in milliseconds. */
const TOLD_MS = 1_000;

const REASONS = ['all', 'address', 'silent', 'unread'] as const;
type Reason = (typeof REASONS)[number];

export interface ConnectionBoundsOptions {
  readonly limits: ConnectionLimits;
  /** Addresses without a per-address limit: proxies, which serve many clients. */
  isTrustedProxy(address: string): boolean;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** The answer to a refused connection; null: none can be read, since TLS has not begun. */
  refusal(address: string): string | null;
}

/** A connection that has sent nothing, and until when it may. */
interface Silent {
  readonly socket: Socket;
  readonly untilMs: number;
}

export class ConnectionBounds {
  readonly #options: ConnectionBoundsOptions;
  readonly #byAddress = new Map<string, number>();
  readonly #refused: Readonly<Record<Reason, Count>>;
  /** Connections that were silent at the last look, and those that came after it. */
  readonly #silent = new UnderWay<Silent>();
  readonly #look: NodeJS.Timeout;
  #open = 0;
  #told = 0;
  #unlogged = 0;
  #nextLogMs = 0;

  constructor(options: ConnectionBoundsOptions) {
    this.#options = options;
    const { metrics } = options;
    metrics.watch('tidegate_connections', 'Connections of clients that are open.', () => this.#open);
    const refused = metrics.counter(
      'tidegate_connections_refused_total',
      'Connections that were closed: too many in all, too many of their address, silent, or with an answer unread for too long.',
      { reason: REASONS },
    );
    this.#refused = {
      all: refused.of({ reason: 'all' }),
      address: refused.of({ reason: 'address' }),
      silent: refused.of({ reason: 'silent' }),
      unread: refused.of({ reason: 'unread' }),
    };
    this.#look = setInterval(() => this.#cutSilent(), LOOK_EVERY_MS).unref();
  }

  /** Whether the connection may stay. If not, it is answered and closed. */
  admit(socket: Socket): boolean {
    const { limits, isTrustedProxy } = this.#options;
    const address = socket.remoteAddress;
    if (address === undefined) {
      socket.destroy();
      return false;
    }
    const subject = isTrustedProxy(address) ? null : addressSubject(address);
    const ofAddress = subject === null ? 0 : (this.#byAddress.get(subject) ?? 0);
    if (this.#open >= limits.most) return this.#refuse(socket, address, 'all');
    if (ofAddress >= limits.mostPerAddress) return this.#refuse(socket, address, 'address');
    this.#open++;
    if (subject !== null) this.#byAddress.set(subject, ofAddress + 1);
    const silent = { socket, untilMs: performance.now() + FIRST_BYTE_MS };
    this.#silent.add(silent);
    socket.once('close', () => {
      this.#open--;
      this.#silent.delete(silent);
      if (subject !== null) this.#leave(subject);
    });
    return true;
  }

  /** One was closed because its client took nothing of an answer for too long. */
  countUnread(): void {
    this.#note('unread');
  }

  close(): void {
    clearInterval(this.#look);
  }

  #leave(subject: string): void {
    const left = (this.#byAddress.get(subject) ?? 1) - 1;
    if (left === 0) this.#byAddress.delete(subject);
    else this.#byAddress.set(subject, left);
  }

  #refuse(socket: Socket, address: string, reason: Reason): false {
    this.#note(reason);
    socket.on('error', () => socket.destroy());
    const answer = this.#options.refusal(address);
    if (answer === null || this.#told >= MOST_TOLD) {
      socket.destroy();
      return false;
    }
    this.#told++;
    const late = setTimeout(() => socket.destroy(), TOLD_MS);
    socket.once('close', () => {
      clearTimeout(late);
      this.#told--;
    });
    // Its data is read and dropped: unread data would make the system discard the answer.
    socket.resume();
    socket.end(answer);
    return false;
  }

  /** Closes connections that stayed silent too long: once a request begins, the parser's header timeout applies. */
  #cutSilent(): void {
    const now = performance.now();
    for (const silent of this.#silent) {
      const { socket, untilMs } = silent;
      if (socket.bytesRead > 0) this.#silent.delete(silent);
      else if (untilMs <= now) {
        this.#note('silent');
        this.#silent.delete(silent);
        socket.destroy();
      }
    }
  }

  /** Counts, and logs at most once a minute: a flood of connections must not flood the log. */
  #note(reason: Reason): void {
    this.#refused[reason].add();
    this.#unlogged++;
    const now = performance.now();
    if (now < this.#nextLogMs) return;
    this.#nextLogMs = now + LOG_EVERY_MS;
    const { most, mostPerAddress } = this.#options.limits;
    this.#options.logger.warn(
      { reason, closed: this.#unlogged, open: this.#open, most, mostPerAddress },
      'client connections were closed: too many, too many from one address, silent, or with an answer unread',
    );
    this.#unlogged = 0;
  }
}
