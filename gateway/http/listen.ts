/** Listens with a promise, and closes without waiting for idle connections. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How long what is in flight may take when a process ends, in milliseconds (contract.md section 8). */
export const GRACE_MS = 10_000;
/** How often idle connections are looked for while closing, in milliseconds. */
const CLOSING_CHECK_MS = 50;

/** Why an address cannot be had, as an operator would say it. */
const REFUSALS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process listens there already',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'this user may not listen there',
};

/** The address that the server got. @throws Error that names `setting`, by which the address was chosen, when it may not have it */
export async function listen(
  server: Server,
  port: number,
  host: string,
  setting = 'the address',
): Promise<AddressInfo> {
  server.listen(port, host);
  await once(server, 'listening').catch((fault: NodeJS.ErrnoException) => {
    const reason = REFUSALS[fault.code ?? ''] ?? fault.message;
    throw new Error(`${setting}: ${host}:${port} cannot be used: ${reason} (${fault.code})`, {
      cause: fault,
    });
  });
  return server.address() as AddressInfo;
}

/** Stops accepting, lets what is in flight finish for at most `graceMs`, then cuts it. */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  const check = setInterval(() => server.closeIdleConnections(), CLOSING_CHECK_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(check);
  clearTimeout(cut);
}

/** Addresses that mean every one of the machine; a client on it connects to loopback. */
const EVERY_ADDRESS = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** Where a client on this machine reaches the server, such as `http://127.0.0.1:8080`. */
export function originOf(listening: AddressInfo): string {
  const { port } = listening;
  const address = EVERY_ADDRESS.get(listening.address) ?? listening.address;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
