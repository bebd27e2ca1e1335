/** Metrics of the exchanges with a service, and which of its addresses take requests. */
import type { Count, Metrics } from '../../services/shared/ports/metrics.ts';
import type { UpstreamAddress } from './upstream-address.ts';

/** The counters of one service. */
export interface UpstreamFailures {
  /** It took too long to begin, or to continue. */
  readonly timeout: Count;
  /** It refused or broke the connection. */
  readonly broken: Count;
  /** It refused the gateway's identity. */
  readonly identity: Count;
  /** No request was sent, since no address takes one. */
  readonly unavailable: Count;
}

/** `services` are the names of all serviceEndpoints. */
export function createUpstreamFailures(
  metrics: Metrics,
  services: readonly string[],
  service: string,
): UpstreamFailures {
  const failures = metrics.counter('tidegate_upstream_failures_total', 'Exchanges that a service failed.', {
    service: services,
    kind: ['timeout', 'broken', 'identity', 'unavailable'],
  });
  return {
    timeout: failures.of({ service, kind: 'timeout' }),
    broken: failures.of({ service, kind: 'broken' }),
    identity: failures.of({ service, kind: 'identity' }),
    unavailable: failures.of({ service, kind: 'unavailable' }),
  };
}

/** Requests handed to a service, each once however often it is retried. */
export function createUpstreamRequests(metrics: Metrics, service: string): Count {
  return metrics
    .counter('tidegate_upstream_requests_total', 'Requests that were sent to a service.', {
      service: [service],
    })
    .of({ service });
}

/** How often requests to a service were retried. */
export function createUpstreamRetries(metrics: Metrics, service: string): Count {
  return metrics
    .counter('tidegate_upstream_retries_total', 'Requests that were retried.', { service: [service] })
    .of({ service });
}

/** How often the breaker of an address of a service opened. */
export function createBreakerOpens(metrics: Metrics, service: string): Count {
  return metrics
    .counter('tidegate_upstream_breaker_opens_total', 'How often the breaker of an address opened.', {
      service: [service],
    })
    .of({ service });
}

/** The addresses last shown, by service: a replaced configuration that still answers no longer shows its own. */
const shown = new WeakMap<Metrics, Map<string, readonly UpstreamAddress[]>>();

/** Shows for each address whether it takes requests; for removed ones NaN. */
export class ShownAddresses {
  readonly #service: string;
  readonly #addresses: readonly UpstreamAddress[];
  readonly #latest: Map<string, readonly UpstreamAddress[]>;
  readonly #show: (origin: string, value: number) => void;

  constructor(metrics: Metrics, service: string, addresses: readonly UpstreamAddress[]) {
    this.#service = service;
    this.#addresses = addresses;
    this.#latest = shown.get(metrics) ?? new Map();
    shown.set(metrics, this.#latest);
    const before = this.#latest.get(service) ?? [];
    const names = [...addresses, ...before].map(({ origin }) => hostOf(origin));
    const gauge = metrics.gauge(
      'tidegate_upstream_healthy',
      'Whether an address of a service takes requests.',
      { service: [service], address: names },
    );
    const show = (origin: string, value: number): void =>
      gauge.of({ service, address: hostOf(origin) }).set(value);
    this.#show = show;
    for (const { origin } of before) this.#show(origin, Number.NaN);
    this.#latest.set(service, addresses);
    for (const address of addresses) this.update(address);
  }

  update({ origin, takesRequests }: UpstreamAddress): void {
    if (this.#latest.get(this.#service) === this.#addresses) this.#show(origin, takesRequests ? 1 : 0);
  }
}

function hostOf(origin: string): string {
  return new URL(origin).host;
}
