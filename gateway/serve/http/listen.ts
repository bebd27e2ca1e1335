/** Promise-based listen, and close without waiting for idle connections. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { spareUnsent } from './spare-unsent.ts';

/** How long requests in flight may take when a process ends, in milliseconds (contract.md section 8). */
export const GRACE_MS = 10_000;
/** How often idle connections are closed during shutdown, in milliseconds. */
const CLOSING_CHECK_MS = 50;

/** Why an address cannot be used, in an operator's terms. */
const REFUSALS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process already listens there',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'this user may not listen there',
};

/** The actual address of the server. @throws Error that names `setting`, which chose the address, when it cannot be used */
export async function listen(
  server: Server,
  port: number,
  host: string,
  setting = 'the address',
): Promise<AddressInfo> {
  spareUnsent(server);
  server.listen(port, host);
  await once(server, 'listening').catch((fault: NodeJS.ErrnoException) => {
    const reason = REFUSALS[fault.code ?? ''] ?? fault.message;
    throw new Error(`${setting}: ${host}:${port} cannot be used: ${reason} (${fault.code})`, {
      cause: fault,
    });
  });
  return server.address() as AddressInfo;
}

/**
 * Resolves once what came before is read: connections in the first turn, their requests in the second. A process that was
 * held up would else close connections on which a request waits.
 */
export async function readWhatCame(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/**
 * Stops accepting, lets requests in flight finish, and their clients read the answers, for at most `graceMs`, then closes their
 * connections by `cut`. For a server of {@link listen}, or one with {@link spareUnsent}.
 */
export async function closeServer(
  server: Server,
  graceMs: number,
  cut: () => void = () => server.closeAllConnections(),
): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  const check = setInterval(() => server.closeIdleConnections(), CLOSING_CHECK_MS);
  const cutting = setTimeout(cut, graceMs);
  await closed;
  clearInterval(check);
  clearTimeout(cutting);
}

/** Unspecified addresses, which mean all of the machine's; a client on it connects to loopback. */
const EVERY_ADDRESS = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** Where a client on this machine reaches the server, such as `http://127.0.0.1:8080`. */
export function originOf(listening: AddressInfo, scheme: 'http' | 'https' = 'http'): string {
  const { port } = listening;
  const address = EVERY_ADDRESS.get(listening.address) ?? listening.address;
  return `${scheme}://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
