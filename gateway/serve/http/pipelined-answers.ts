/** Answers that stand behind another one on their connection: Node tells them neither when that ends nor that nobody takes them. */
import type { ServerResponse } from 'node:http';
import type { GatewayRequest } from '../../../plugins/kit/request-context.ts';
import type { HttpSocket } from './spare-unsent.ts';
import { LOOKS, UNREAD_MS } from './unread-answers.ts';

/** Those of one connection, each with how many looks in a row found it full. */
type Waiting = Map<ServerResponse, number>;

/** While none of them waits, it has no timer. */
export class PipelinedAnswers {
  readonly #onCut: () => void;
  readonly #everyMs: number;
  readonly #of = new Map<HttpSocket, Waiting>();
  /** The last that came on a connection behind another one. */
  readonly #newest = new WeakMap<HttpSocket, ServerResponse>();
  #looking: NodeJS.Timeout | null = null;

  /**
   * `onCut` is called for each connection that it closes. `unreadMs`: how long an answer may wait that has no room for what
   * its backend still has to send.
   */
  constructor(onCut: () => void, unreadMs = UNREAD_MS) {
    this.#onCut = onCut;
    this.#everyMs = unreadMs / LOOKS;
  }

  /**
   * Closes `res` with the connection, unless it has its turn there before. The answer before it does not end the connection,
   * since no other could follow.
   */
  add(socket: HttpSocket, res: ServerResponse): void {
    const answers = this.#of.get(socket) ?? this.#watch(socket);
    const newest = this.#newest.get(socket);
    const before = newest !== undefined && answers.has(newest) ? newest : socket._httpMessage;
    if (before) (before.req as unknown as GatewayRequest).isFollowed = true;
    this.#newest.set(socket, res);
    answers.set(res, 0);
    res.once('close', () => answers.delete(res));
  }

  /** One listener for all answers of a connection. */
  #watch(socket: HttpSocket): Waiting {
    const answers: Waiting = new Map();
    this.#of.set(socket, answers);
    this.#looking ??= setInterval(this.#look, this.#everyMs).unref();
    socket.once('close', () => {
      this.#of.delete(socket);
      for (const res of answers.keys()) {
        // One that had its turn was told.
        if (res.socket !== null) continue;
        res.destroy();
        res.emit('close');
      }
      if (this.#of.size > 0 || this.#looking === null) return;
      clearInterval(this.#looking);
      this.#looking = null;
    });
    return answers;
  }

  /** Whoever keeps one answer going and reads it would otherwise hold the backends of all behind it for as long. */
  readonly #look = (): void => {
    for (const [socket, answers] of this.#of) {
      for (const [res, looks] of answers) {
        const isFull = res.socket === null && res.writableNeedDrain;
        answers.set(res, isFull ? looks + 1 : 0);
        // One more than it takes: the first may have come at any time after it was full.
        if (!isFull || looks < LOOKS) continue;
        this.#onCut();
        socket.destroy();
        break;
      }
    }
  };
}
