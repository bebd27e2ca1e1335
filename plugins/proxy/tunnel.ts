/** Carries an open WebSocket between client and backend, byte by byte, and ends it between two frames. */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { closeFrame, FrameEnds } from './frame-ends.ts';
import type { LossReason } from './standing-connections.ts';

/**
 * Why the gateway ends a WebSocket: nothing came for too long, it closes or has a new configuration, or what
 * {@link LossReason} says.
 */
export type EndReason = 'idle' | 'closing' | LossReason;

/** Going away, policy violation, try again later (RFC 6455, 7.4.1, and IANA's registry of close codes). */
const STATUS: Readonly<Record<EndReason, number>> = {
  idle: 1001,
  closing: 1001,
  revoked: 1008,
  unjudged: 1013,
};
const REASONS: Readonly<Record<EndReason, string>> = {
  idle: 'nothing was sent for too long',
  closing: 'the gateway restarts',
  revoked: 'the credential no longer counts, or lost a right',
  unjudged: 'the credential could not be checked',
};

/** How long a peer may take to end once the other has, or to answer a Close frame, in milliseconds. */
const CLOSING_MS = 2_000;
/** As much when the caller may not go on; with what it takes to notice, below the 5 seconds of contract.md. */
const LOSING_MS = 500;

/** One direction. */
class Way {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #frames = new FrameEnds();
  /** Sent at the next end of a frame; null while it stays open. */
  #last: Buffer | null = null;
  #isOver = false;

  constructor(from: Socket, to: Socket, onEnd: () => void) {
    this.#from = from;
    this.#to = to;
    from.on('data', (chunk: Buffer) => this.#carry(chunk));
    from.on('end', () => {
      to.end();
      onEnd();
    });
    to.on('drain', () => from.resume());
  }

  /** Ends with this frame, unless the sender has closed already. */
  end(last: Buffer): void {
    this.#last = last;
    if (this.#frames.isBetween) this.#finish(last);
  }

  #carry(chunk: Buffer): void {
    const whole = this.#frames.take(chunk);
    if (this.#isOver) {
      // Only its answer to our Close frame is waited for.
      if (this.#frames.hasClosed) this.#from.destroySoon();
      return;
    }
    if (this.#last !== null && (whole > 0 || this.#frames.isBetween)) {
      this.#to.write(chunk.subarray(0, whole));
      this.#finish(this.#last);
    } else if (!this.#to.write(chunk)) this.#from.pause();
  }

  #finish(last: Buffer): void {
    this.#isOver = true;
    if (!this.#frames.hasClosed) this.#to.write(last);
    this.#from.resume();
  }
}

export class Tunnel {
  readonly #client: Socket;
  readonly #backend: Socket;
  readonly #toBackend: Way;
  readonly #toClient: Way;
  #isEnding = false;
  #cut: NodeJS.Timeout | null = null;

  /** Begins at once. `onIdle`: no byte came from either side for so long. */
  constructor(client: Socket, backend: Socket, head: Buffer, idleMs: number, onIdle: () => void) {
    this.#client = client;
    this.#backend = backend;
    for (const [one, other] of [
      [client, backend],
      [backend, client],
    ] as const) {
      one.on('error', () => one.destroy());
      one.once('close', () => other.destroySoon());
    }
    client.once('close', () => {
      if (this.#cut !== null) clearTimeout(this.#cut);
    });
    // Every byte passes this connection, in one direction or the other.
    backend.setTimeout(idleMs, onIdle);
    if (head.length > 0) client.unshift(head);
    // No WebSocket lives on with one direction.
    const onEnd = (): void => this.#cutSoon(CLOSING_MS);
    this.#toClient = new Way(backend, client, onEnd);
    this.#toBackend = new Way(client, backend, onEnd);
    client.resume();
    backend.resume();
  }

  /** Tells both peers by a Close frame; a peer that does not answer is cut off. False: it is ending already. */
  end(reason: EndReason): boolean {
    if (this.#isEnding) return false;
    this.#isEnding = true;
    this.#backend.setTimeout(0);
    this.#toClient.end(closeFrame(STATUS[reason], REASONS[reason], null));
    this.#toBackend.end(closeFrame(STATUS[reason], REASONS[reason], randomBytes(4)));
    this.#cutSoon(STATUS[reason] === STATUS.closing ? CLOSING_MS : LOSING_MS);
    return true;
  }

  #cutSoon(afterMs: number): void {
    this.#cut ??= setTimeout(() => {
      this.#client.destroy();
      this.#backend.destroy();
    }, afterMs);
  }
}
