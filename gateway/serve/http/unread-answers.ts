/** Breaks off answers of which the client takes nothing: each holds memory, and mostly a connection to a backend. */
import type { Socket } from 'node:net';
import { UnderWay } from '../../../services/shared/turns/under-way.ts';

/**
 * How long a client may take nothing of what is sent to it, in milliseconds. The system tells of what it took in steps of up to
 * some megabytes, so this is long enough for one at {@link READER_BYTES_PER_SECOND}.
 */
export const UNREAD_MS = 180_000;
/** Whoever reads as much evenly is never late. */
export const READER_BYTES_PER_SECOND = 20_000;
/** How often it is looked at in that time. Looks count, not time: after a halt of this process no reader is late. */
export const LOOKS = 12;

/**
 * Node's own end of a connection, below TLS. Streams tell nothing of how much of a large write the system took, and their
 * timers take what a client sends for a sign that it reads.
 */
interface Handle {
  /** All that was ever written, in bytes. */
  readonly bytesWritten: number;
  /** As much of that as the system has not taken. */
  readonly writeQueueSize: number;
}
type HandledSocket = Socket & { readonly _handle?: Handle | null };

/** What the system had taken of a connection at an earlier look, and how many looks ago it first had. */
interface Unread {
  readonly takenBytes: number;
  looks: number;
}

/** While there is no connection, it has no timer. */
export class UnreadAnswers {
  readonly #everyMs: number;
  readonly #onCut: () => void;
  readonly #sockets = new UnderWay<HandledSocket>();
  /** Those on which something waits to be taken. */
  readonly #unread = new Map<HandledSocket, Unread>();
  #looking: NodeJS.Timeout | null = null;

  /** `onCut` is called for each connection that it closes. `unreadMs`: how long a client may take nothing. */
  constructor(onCut: () => void, unreadMs = UNREAD_MS) {
    this.#onCut = onCut;
    this.#everyMs = unreadMs / LOOKS;
  }

  /** Watches a connection to its end, whatever is spoken there; `socket` is the one below TLS. */
  watch(socket: Socket): void {
    this.#sockets.add(socket);
    this.#looking ??= setInterval(this.#look, this.#everyMs).unref();
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#unread.delete(socket);
      if (this.#sockets.size > 0 || this.#looking === null) return;
      clearInterval(this.#looking);
      this.#looking = null;
    });
  }

  readonly #look = (): void => {
    for (const socket of this.#sockets) {
      const handle = socket._handle;
      if (handle == null || handle.writeQueueSize === 0) {
        this.#unread.delete(socket);
        continue;
      }
      const takenBytes = handle.bytesWritten - handle.writeQueueSize;
      const before = this.#unread.get(socket);
      if (before?.takenBytes !== takenBytes) this.#unread.set(socket, { takenBytes, looks: 0 });
      else if (++before.looks === LOOKS) {
        this.#onCut();
        socket.destroy();
      }
    }
  };
}
