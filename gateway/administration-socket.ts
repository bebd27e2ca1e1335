/** Tells whether a server answers on the administration socket, for the server that wants it and for the command line. */
import { lstatSync } from 'node:fs';
import { connect } from 'node:net';

/** `live`: a server answers; `stale`: the socket of a dead one; `absent`: nothing there. */
export type SocketState = 'live' | 'stale' | 'absent';

/** Longest path of a unix socket, in bytes: the kernel's structure ends there. */
export const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/** Whether a socket can be made at this path at all. */
export function fitsSocketPath(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES;
}

/** Looks at the socket by connecting. @throws Error when it cannot be told: no permission, or something else than a socket */
export async function probeSocket(path: string): Promise<SocketState> {
  if (!fitsSocketPath(path)) return 'absent';
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return 'absent';
  // A connection to a plain file is refused like one to a dead socket, and must not cost the file.
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
