/** Finds out whether a server answers on the operator socket, for a starting server and for the command line. */
import { lstatSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { DataPaths } from '../../config/data-directory.ts';

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

/** The sockets of gateways that run alone, whatever their state; none without their folder. */
export function gatewaySocketsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.sock'))
      .sort()
      .map((name) => join(folder, name));
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw fault;
  }
}

/** The sockets at which something tells what a gateway does: the server of DATA_DIR first, then gateways that run alone. */
export async function liveGateways({
  operatorSocket,
  gatewaySockets,
}: Pick<DataPaths, 'operatorSocket' | 'gatewaySockets'>): Promise<string[]> {
  const live: string[] = [];
  for (const path of [operatorSocket, ...gatewaySocketsIn(gatewaySockets)])
    if ((await probeSocket(path)) === 'live') live.push(path);
  return live;
}
