/** Probes an address periodically: does it take requests? */
import { askStatus } from '../../services/shared/http/ask-status.ts';
import type { ServicesInProcess } from '../../services/shared/http/service-exchange.ts';
import type { BackendTls, HealthCheck } from '../../services/shared/plans/service-endpoint.ts';
import type { UpstreamAddress } from './upstream-address.ts';

/** The answer of a service that is running but takes no requests: it is starting, draining, or missing its stores. */
const TAKES_NONE = 503;

/** A status that tells of the question rather than of the backend: no such path, or not without a credential. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500;

/**
 * Starts probing at once, without end; the returned function stops it. `onRefusal` is told, once, of an answer 4xx: the
 * path of the check is likely wrong.
 */
export function startHealthCheck(
  address: UpstreamAddress,
  check: HealthCheck,
  onRefusal: (status: number) => void,
  tls: BackendTls | null = null,
  inProcess?: ServicesInProcess,
): () => void {
  const ended = new AbortController();
  const question = {
    origin: address.origin,
    path: check.path,
    timeoutMs: check.timeoutSeconds * 1000,
    tls,
    inProcess,
    signal: ended.signal,
  };
  let timer: NodeJS.Timeout | undefined;
  /** How many answers in a row differ from the known state of the address. */
  let others = 0;
  let wasRefused = false;

  function judge(status: number | null): void {
    if (status !== null && isRefusal(status) && !wasRefused) {
      wasRefused = true;
      onRefusal(status);
    }
    const isHealthy = status !== null && status >= 200 && status < 300;
    others = isHealthy === address.isHealthy ? 0 : others + 1;
    const needed = isHealthy ? check.healthyAfter : status === TAKES_NONE ? 1 : check.unhealthyAfter;
    if (others < needed) return;
    others = 0;
    address.judge(isHealthy);
  }

  async function askOnAndOn(): Promise<void> {
    const answer = await askStatus(question).catch(() => null);
    if (ended.signal.aborted) return;
    judge(answer?.status ?? null);
    timer = setTimeout(askOnAndOn, check.intervalSeconds * 1000).unref();
  }

  void askOnAndOn();
  return () => {
    ended.abort();
    clearTimeout(timer);
  };
}
