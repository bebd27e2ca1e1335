/** Asks a server for one path on a new connection: whether it answers, and with which status. */
import { Client } from 'undici';
import { type BackendTls, connectOptions } from '../plans/service-endpoint.ts';

export interface StatusQuestion {
  /** Such as http://127.0.0.1:4001. */
  readonly origin: string;
  readonly path: string;
  /** How long connecting and the whole answer may take together, in milliseconds. */
  readonly timeoutMs: number;
  readonly tls?: BackendTls | null;
  /** Aborts the request early. */
  readonly signal?: AbortSignal;
}

/** The status of the answer to a GET. @throws Error when none came in time */
export async function askStatus({
  origin,
  path,
  timeoutMs,
  tls = null,
  signal,
}: StatusQuestion): Promise<number> {
  const client = new Client(origin, { pipelining: 0, connect: connectOptions(tls) });
  const cut = (reason: string) => void client.destroy(new Error(reason));
  const timer = setTimeout(() => cut(`no answer within ${timeoutMs} ms`), timeoutMs);
  const end = () => cut('not asked any more');
  signal?.addEventListener('abort', end, { once: true });
  try {
    const { statusCode, body } = await client.request({ method: 'GET', path });
    await body.dump();
    return statusCode;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    client.destroy().catch(() => undefined);
  }
}
