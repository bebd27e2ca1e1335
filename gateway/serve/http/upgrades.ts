/** Connections whose client asked for WebSocket: Node gives them up, so that their answers and their end are cared for here. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientUpgrade } from '../../../plugins/kit/client-upgrade.ts';

/** How much of what a client sends before its answer is kept, in bytes; then it is read no further. */
const MOST_AHEAD = 65_536;

export class Upgrades {
  /** How each ends in good order; null while HTTP may still answer. */
  readonly #ends = new Map<Socket, (() => void) | null>();

  /** Makes `res` answer on the connection, once and as the last there, until a policy takes it over. */
  begin(res: ServerResponse, socket: Socket, head: Buffer): ClientUpgrade {
    const ends = this.#ends;
    ends.set(socket, null);
    socket.once('close', () => ends.delete(socket));
    socket.on('error', () => socket.destroy());
    // What Node's server does for a connection that it keeps.
    socket.on('drain', () => res.emit('drain'));
    res.shouldKeepAlive = false;
    res.assignSocket(socket);
    res.once('finish', () => socket.destroySoon());
    let isTaken = false;
    let ahead = head;
    const onData = (chunk: Buffer): void => {
      ahead = Buffer.concat([ahead, chunk]);
      if (ahead.length >= MOST_AHEAD) socket.pause();
    };
    // Only who reads learns that the client left.
    const onEnd = (): void => void socket.destroy();
    socket.on('data', onData);
    socket.on('end', onEnd);
    return {
      get head() {
        return ahead;
      },
      get isTaken() {
        return isTaken;
      },
      take(end) {
        isTaken = true;
        ends.set(socket, end);
        socket.pause();
        socket.off('data', onData);
        socket.off('end', onEnd);
        socket.removeAllListeners('drain');
        socket.removeAllListeners('timeout');
        return socket;
      },
    };
  }

  /** Ends those that were taken over. */
  end(): void {
    for (const end of this.#ends.values()) end?.();
  }

  /** Breaks off all. */
  cut(): void {
    for (const socket of this.#ends.keys()) socket.destroy();
  }
}
