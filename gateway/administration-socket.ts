/** Tells whether a server answers on the administration socket, for the server that wants it and for the command line. */
import { connect } from 'node:net';

/** `live`: a server answers; `stale`: the socket of a dead one; `absent`: nothing there. */
export type SocketState = 'live' | 'stale' | 'absent';

/** Longest path of a unix socket, in bytes: the kernel's structure ends there. */
export const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/** Looks at the socket by connecting. @throws Error when it cannot be told: no permission, or no socket at all. */
export function probeSocket(path: string): Promise<SocketState> {
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES) return Promise.resolve('absent');
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve('live');
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve('absent');
      else if (error.code === 'ECONNREFUSED') resolve('stale');
      else
        reject(
          new Error(`${path} is not a socket that this user may reach (${error.code})`, { cause: error }),
        );
    });
  });
}
