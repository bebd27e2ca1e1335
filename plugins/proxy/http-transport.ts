/** Reaches an address by HTTP, over a pool of kept connections: undici's, or one of the gateway's own. */
import type { Pool } from 'undici';
import { undici } from '../../services/shared/http/late-undici.ts';
import { type BackendTls, connectOptions } from '../../services/shared/plans/service-endpoint.ts';
import { KeptTransport } from './own-client/kept-transport.ts';
import type { TransportBounds } from './transport.ts';

/**
 * How long an idle connection is kept, in milliseconds; less than the services' own limit, so that none is used as it
 * closes.
 */
const IDLE_MS = 30_000;
const CONNECT_MS = 5_000;

export function createHttpTransport(
  origin: string,
  tls: BackendTls | null,
  { connections, timeoutMs }: TransportBounds,
): Pool {
  const { Pool } = undici();
  return new Pool(origin, {
    connections,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    connect: { ...connectOptions(tls), timeout: Math.min(CONNECT_MS, timeoutMs) },
  });
}

/** As {@link createHttpTransport} without TLS, with the gateway's own client for what is plain. */
export function createKeptTransport(origin: string, bounds: TransportBounds): KeptTransport {
  const connectMs = Math.min(CONNECT_MS, bounds.timeoutMs);
  return new KeptTransport(origin, bounds, { connectMs, idleMs: IDLE_MS }, () =>
    createHttpTransport(origin, null, bounds),
  );
}
