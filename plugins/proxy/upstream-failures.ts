/** Counts exchanges that a service did not carry to their end, by service and by how they failed. */
import type { Count, Metrics } from '../../services/shared/ports/metrics.ts';

/** Counters of one service. */
export interface UpstreamFailures {
  /** It did not begin, or paused, longer than it may. */
  readonly timeout: Count;
  /** It refused or broke the connection. */
  readonly broken: Count;
  /** It refused the identity of the gateway. */
  readonly identity: Count;
}

/** `services` are the names of all serviceEndpoints. */
export function createUpstreamFailures(
  metrics: Metrics,
  services: readonly string[],
  service: string,
): UpstreamFailures {
  const failures = metrics.counter('tidegate_upstream_failures_total', 'Exchanges that a service failed.', {
    service: services,
    kind: ['timeout', 'broken', 'identity'],
  });
  return {
    timeout: failures.of({ service, kind: 'timeout' }),
    broken: failures.of({ service, kind: 'broken' }),
    identity: failures.of({ service, kind: 'identity' }),
  };
}
