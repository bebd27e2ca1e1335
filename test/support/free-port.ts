/** Finds ports for servers that tests start: such that nobody else takes before the server listens. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what systems give to outgoing connections and to listeners that ask for any port (from 32,768 on). */
const FIRST = 12_000;
const LAST = 32_000;

/** Each process of a run begins elsewhere. */
let next = randomInt(FIRST, LAST);

/** A loopback port that nothing listens on, and that this process was not given before. */
export async function freePort(): Promise<number> {
  for (let left = LAST - FIRST; left > 0; left--) {
    next = next < LAST ? next + 1 : FIRST;
    // Others ask while this one waits.
    const port = next;
    if (await isFree(port)) return port;
  }
  throw new Error(`no loopback port from ${FIRST} to ${LAST} is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
