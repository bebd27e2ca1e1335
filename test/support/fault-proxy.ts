/** A TCP proxy before a store that brings the troubles of a network: refused, slow, frozen and cut connections. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * `freeze` accepts and never answers; what came meanwhile goes on when it passes again. `swallows`: requests with one of these
 * texts never arrive, as if the store were busy with them for ever, while it answers all others.
 */
export type Fault =
  | 'pass'
  | 'refuse'
  | 'freeze'
  | { readonly answersAfterMs: number }
  | { readonly swallows: readonly string[] };

export interface FaultProxy {
  readonly port: number;
  /** Holds for open connections too; `refuse` ends them. */
  set(fault: Fault): Promise<void>;
  /** Ends every open connection, and goes on as before. */
  cut(): void;
  /** The same for those alone whose answers are held back: what was asked was done, and nobody learns of it. */
  cutUnanswered(): void;
  close(): Promise<void>;
}

/** Starts one before `127.0.0.1:targetPort`. */
export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  let fault: Fault = 'pass';
  const sockets = new Set<Socket>();
  /** Of each client, how many pieces of answers are held back. */
  const heldBack = new Map<Socket, number>();

  const server: Server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => from.destroy());
      from.on('close', () => {
        sockets.delete(from);
        heldBack.delete(from);
        to.destroy();
      });
    }
    client.on('data', (chunk) => {
      const texts = typeof fault === 'object' && 'swallows' in fault ? fault.swallows : [];
      if (!texts.some((text) => chunk.includes(text))) target.write(chunk);
    });
    // Answers never overtake each other, or the client would take one for another.
    const answers: Buffer[] = [];
    target.on('data', (chunk) => {
      const after = typeof fault === 'object' && 'answersAfterMs' in fault ? fault.answersAfterMs : 0;
      answers.push(chunk);
      heldBack.set(client, answers.length);
      const write = (): void => {
        const next = answers.shift();
        if (heldBack.has(client)) heldBack.set(client, answers.length);
        if (next !== undefined && client.writable) client.write(next);
      };
      if (after === 0 && answers.length === 1) write();
      else setTimeout(write, after).unref();
    });
    if (fault === 'freeze') {
      client.pause();
      target.pause();
    }
  });
  async function accept(port: number): Promise<number> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
  function cut(): void {
    for (const socket of [...sockets]) socket.destroy();
  }
  const port = await accept(0);

  return {
    port,
    async set(next) {
      const before = fault;
      fault = next;
      if (next === 'refuse') {
        server.close();
        cut();
        if (before !== 'refuse') await once(server, 'close');
        return;
      }
      if (before === 'refuse') await accept(port);
      for (const socket of sockets) {
        if (next === 'freeze') socket.pause();
        else socket.resume();
      }
    },
    cut,
    cutUnanswered() {
      for (const [client, pieces] of [...heldBack]) if (pieces > 0) client.destroy();
    },
    async close() {
      if (fault !== 'refuse') server.close();
      cut();
    },
  };
}
