/** Ends a listener that others keep connections to, so that none of their requests meets a closing one. */
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { closeServer, GRACE_MS } from './listen.ts';

/**
 * How long it is still answered while those who ask learn that it ends, from the readiness path and from the header of
 * their next answer, in milliseconds: longer than a gateway takes to ask anew and to get the answer (2 s and 1 s,
 * services/shared/plugin/service-endpoint.ts), and short enough to leave the rest of {@link GRACE_MS} to what came last.
 */
export const NOTICE_MS = 4_000;

/** Resolves when the last answer is out, at most {@link GRACE_MS} later. The caller says `Connection: close` in every answer from now on. */
export async function drainServer(server: Server): Promise<void> {
  await delay(NOTICE_MS);
  await closeServer(server, GRACE_MS - NOTICE_MS);
}
