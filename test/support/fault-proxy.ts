/** A TCP proxy before a store that brings the troubles of a network: refused, slow, frozen and cut connections. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './free-port.ts';

/**
 * `freeze` accepts and never answers; what came meanwhile goes on when it passes again. `swallows`: requests with one of these
 * texts never arrive, as if the store were busy with them for ever, while it answers all others. `holds`: a request waits for
 * its word, and never arrives when that is true, nor does anything behind it.
 */
export type Fault =
  | 'pass'
  | 'refuse'
  | 'freeze'
  | { readonly answersAfterMs: number }
  | { readonly swallows: readonly string[] }
  | { readonly holds: (request: Buffer) => Promise<boolean> };

export interface FaultProxy {
  readonly port: number;
  /** Holds for open connections too; `refuse` ends them. */
  set(fault: Fault): Promise<void>;
  /** Ends every open connection, and goes on as before. */
  cut(): void;
  /** The same for those alone whose answers are held back: what was asked was done, and nobody learns of it. */
  cutUnanswered(): void;
  /** The next request with all of these texts is done, and its connection ends in place of the answer. */
  loseAnswerTo(...texts: readonly string[]): void;
  close(): Promise<void>;
}

/** Starts one before `127.0.0.1:targetPort`. */
export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  let fault: Fault = 'pass';
  const sockets = new Set<Socket>();
  /** Of each client, how many pieces of answers are held back. */
  const heldBack = new Map<Socket, number>();
  /** What stands in the request whose answer is to be lost; empty: none. */
  let losing: readonly string[] = [];

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
    let isLosing = false;
    client.on('data', (chunk) => {
      if (losing.length > 0 && losing.every((text) => chunk.includes(text))) {
        isLosing = true;
        losing = [];
      }
      if (typeof fault === 'object' && 'holds' in fault) {
        client.pause();
        void fault.holds(chunk).then((isHeld) => {
          if (isHeld) return;
          target.write(chunk);
          client.resume();
        });
        return;
      }
      const texts = typeof fault === 'object' && 'swallows' in fault ? fault.swallows : [];
      if (!texts.some((text) => chunk.includes(text))) target.write(chunk);
    });
    // Answers never overtake each other, or the client would take one for another.
    const answers: Buffer[] = [];
    target.on('data', (chunk) => {
      if (isLosing) {
        client.destroy();
        return;
      }
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
  // Not any port: while it refuses, the system could give that to another listener.
  const port = await freePort();
  async function accept(): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }
  function cut(): void {
    for (const socket of [...sockets]) socket.destroy();
  }
  await accept();

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
      if (before === 'refuse') await accept();
      for (const socket of sockets) {
        if (next === 'freeze') socket.pause();
        else socket.resume();
      }
    },
    cut,
    cutUnanswered() {
      for (const [client, pieces] of [...heldBack]) if (pieces > 0) client.destroy();
    },
    loseAnswerTo(...texts) {
      losing = texts;
    },
    async close() {
      if (fault !== 'refuse') server.close();
      cut();
    },
  };
}
