/** Finds out whether a server answers on the operator socket, for a starting server and for the command line. */
import { lstatSync } from 'node:fs';
import { connect } from 'node:net';

/** `live`: a server answers; `stale`: the socket of a dead server; `absent`: no file there. */
export type SocketState = 'live' | 'stale' | 'absent';

/** Longest path of a unix socket, in bytes: the size of the kernel's structure. */
export const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/** Whether a socket can be created at this path at all. */
export function fitsSocketPath(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES;
}

/** Tests the socket by connecting. @throws Error when the result is unclear: no permission, or not a socket */
export async function probeSocket(path: string): Promise<SocketState> {
  if (!fitsSocketPath(path)) return 'absent';
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return 'absent';
  // A connection to a plain file is refused like one to a dead socket, but the file must not be replaced.
  if (!found.isSocket()) throw new Error(`${path} is not a socket: move it away`);
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve('live');
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve('absent');
      else if (error.code === 'ECONNREFUSED') resolve('stale');
      else reject(new Error(`${path} cannot be reached by this user (${error.code})`, { cause: error }));
    });
  });
}
