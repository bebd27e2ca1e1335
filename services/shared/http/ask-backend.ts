/** Asks one address of a backend whether it takes requests, as its health check says, if it has one. */
import type { ServiceEndpoint } from '../plans/service-endpoint.ts';
import { askStatus } from './ask-status.ts';
import type { ServicesInProcess } from './service-exchange.ts';

/** Asked where a backend has no health check; any answer but a server error means that it is there. */
const READY_PATH = '/health/ready';

export interface BackendAnswer {
  /** What was asked. */
  readonly path: string;
  /** Null: no answer came. */
  readonly status: number | null;
  /** Why the address counts as down; null: it is up. */
  readonly fault: Error | null;
  /** It is up, and says that it lacks something. */
  readonly isDegraded: boolean;
}

/** Never rejects. Without an identity token a service refuses, which counts as an answer. */
export async function askBackend(
  origin: string,
  { healthCheck, tls }: Pick<ServiceEndpoint, 'healthCheck' | 'tls'>,
  timeoutMs: number,
  inProcess?: ServicesInProcess,
): Promise<BackendAnswer> {
  const path = healthCheck?.path ?? READY_PATH;
  const highest = healthCheck === null ? 499 : 299;
  try {
    const { status, isDegraded } = await askStatus({ origin, path, timeoutMs, tls, inProcess });
    const isUp = status <= highest;
    const fault = isUp ? null : new Error(`${origin}${path} answered ${status}`);
    return { path, status, fault, isDegraded: isUp && isDegraded };
  } catch (thrown) {
    const fault = thrown instanceof Error ? thrown : new Error(String(thrown));
    return { path, status: null, fault, isDegraded: false };
  }
}
