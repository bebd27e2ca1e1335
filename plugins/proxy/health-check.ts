/** Asks an address by itself, again and again, whether it takes requests. */
import { askStatus } from '../../services/shared/http/ask-status.ts';
import type { HealthCheck } from '../../services/shared/plugin/service-endpoint.ts';
import type { UpstreamAddress } from './upstream-address.ts';

/** What a service says that is there and takes no requests: it starts, drains, or misses its stores. */
const TAKES_NONE = 503;

/** Begins to ask, at once and without end; what it returns ends it. */
export function startHealthCheck(address: UpstreamAddress, check: HealthCheck): () => void {
  const ended = new AbortController();
  const question = {
    origin: address.origin,
    path: check.path,
    timeoutMs: check.timeoutSeconds * 1000,
    signal: ended.signal,
  };
  let timer: NodeJS.Timeout | undefined;
  /** Answers in a row that differ from what is known of the address. */
  let others = 0;

  function judge(status: number | null): void {
    const isHealthy = status !== null && status >= 200 && status < 300;
    others = isHealthy === address.isHealthy ? 0 : others + 1;
    const needed = isHealthy ? check.healthyAfter : status === TAKES_NONE ? 1 : check.unhealthyAfter;
    if (others < needed) return;
    others = 0;
    address.judge(isHealthy);
  }

  async function askOnAndOn(): Promise<void> {
    const status = await askStatus(question).catch(() => null);
    if (ended.signal.aborted) return;
    judge(status);
    timer = setTimeout(askOnAndOn, check.intervalSeconds * 1000).unref();
  }

  void askOnAndOn();
  return () => {
    ended.abort();
    clearTimeout(timer);
  };
}
