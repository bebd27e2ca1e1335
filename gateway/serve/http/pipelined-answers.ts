/** Answers that stand behind another one on their connection: Node does not tell them when that ends, so they would never close. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export class PipelinedAnswers {
  readonly #of = new WeakMap<Socket, Set<ServerResponse>>();

  /** Closes `res` with the connection, unless it has its turn there before. */
  add(socket: Socket, res: ServerResponse): void {
    const answers = this.#of.get(socket) ?? this.#watch(socket);
    answers.add(res);
    res.once('close', () => answers.delete(res));
  }

  /** One listener for all answers of a connection. */
  #watch(socket: Socket): Set<ServerResponse> {
    const answers = new Set<ServerResponse>();
    this.#of.set(socket, answers);
    socket.once('close', () => {
      for (const res of answers) {
        // One that had its turn was told.
        if (res.socket !== null) continue;
        res.destroy();
        res.emit('close');
      }
    });
    return answers;
  }
}
