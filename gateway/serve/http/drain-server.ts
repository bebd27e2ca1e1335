/** Closes a listener with keep-alive connections so that no request meets a closing connection. */
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { closeServer, GRACE_MS, readWhatCame } from './listen.ts';

/**
 * How long the server keeps answering while clients learn of the shutdown, from the readiness path and from the header of
 * their next answer, in milliseconds: longer than a gateway takes to probe again and get the answer (2 s and 1 s,
 * services/shared/plans/service-endpoint.ts), and short enough to leave the rest of {@link GRACE_MS} to the last requests.
 */
export const NOTICE_MS = 4_000;

/** Resolves when the last answer is sent, at most {@link GRACE_MS} later. From now on the caller sends `Connection: close` with every answer. */
export async function drainServer(server: Server): Promise<void> {
  await delay(NOTICE_MS);
  await readWhatCame();
  await closeServer(server, GRACE_MS - NOTICE_MS);
}
