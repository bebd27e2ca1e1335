/** Puts the states of several gateway processes together: rates and counts add up, times are those of the slowest. */
import type { ServiceEndpoint } from '../../../services/shared/plans/service-endpoint.ts';
import type { SeenGateway } from './gateway-snapshots.ts';
import type { GatewayState } from './gateway-state.ts';

const MOST_TOLD = 100;

type Rate = GatewayState['limits'][number];
type Endpoint = GatewayState['traffic']['endpoints'][number];
type Throttled = GatewayState['throttled'][number];

/** One row for each key, the rows of a key put together. */
function merged<T>(rows: readonly T[], keyOf: (row: T) => string, add: (one: T, other: T) => T): T[] {
  const found = new Map<string, T>();
  for (const row of rows) {
    const key = keyOf(row);
    const known = found.get(key);
    found.set(key, known === undefined ? row : add(known, row));
  }
  return [...found.values()];
}

function mergedRates(rates: readonly Rate[]): Rate[] {
  return merged(
    rates,
    ({ name }) => name,
    (one, other) => ({ ...one, perSecond: one.perSecond + other.perSecond }),
  ).sort((a, b) => b.perSecond - a.perSecond);
}

function addEndpoints(one: Endpoint, other: Endpoint): Endpoint {
  return {
    endpoint: one.endpoint,
    perSecond: one.perSecond + other.perSecond,
    p50Ms: slower(one.p50Ms, other.p50Ms),
    p95Ms: slower(one.p95Ms, other.p95Ms),
    p99Ms: slower(one.p99Ms, other.p99Ms),
    refusedPerSecond: one.refusedPerSecond + other.refusedPerSecond,
    failedPerSecond: one.failedPerSecond + other.failedPerSecond,
  };
}

function slower(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

function addThrottled(one: Throttled, other: Throttled): Throttled {
  const { at, reset } = one.at > other.at ? one : other;
  return { ...one, refusals: one.refusals + other.refusals, at, reset };
}

/** What passes all gateways, and each of them. */
export function mergeTraffic(gateways: readonly SeenGateway[]) {
  const states = gateways.map(({ state }) => state);
  return {
    requestsPerSecond: states.reduce((sum, { traffic }) => sum + traffic.requestsPerSecond, 0),
    byStatus: mergedRates(states.flatMap(({ traffic }) => traffic.byStatus)),
    endpoints: merged(
      states.flatMap(({ traffic }) => traffic.endpoints),
      ({ endpoint }) => endpoint,
      addEndpoints,
    ).sort((a, b) => b.perSecond - a.perSecond),
    refused: merged(
      states.flatMap(({ refused }) => refused),
      ({ code, endpoint }) => `${code} ${endpoint}`,
      (one, other) => ({ ...one, requests: one.requests + other.requests }),
    ).sort((a, b) => b.requests - a.requests),
    gateways: gateways.map(({ id, host, pid, startedAt, seenAt, state: { traffic } }) => {
      const { seconds, requestsPerSecond, connections, cpuPercent, residentMb } = traffic;
      return {
        ...{ id, host, pid, startedAt, seenAt },
        ...{ seconds, requestsPerSecond, connections, cpuPercent, residentMb },
      };
    }),
  };
}

/** Which limits refuse, whom they refused within the last minute, and who is near one. */
export function mergeLimits(gateways: readonly SeenGateway[]) {
  const states = gateways.map(({ state }) => state);
  return {
    limits: mergedRates(states.flatMap(({ limits }) => limits)),
    throttled: merged(
      states.flatMap(({ throttled }) => throttled),
      ({ organization, key, endpoint, limit, window }) =>
        JSON.stringify([organization, key, endpoint, limit, window]),
      addThrottled,
    )
      .sort((a, b) => b.refusals - a.refusals)
      .slice(0, MOST_TOLD),
    // With shared counters the last gateway that was asked knows best; on their own each has numbers of its own.
    nearLimits: merged(
      states.flatMap(({ nearLimits }) => nearLimits),
      ({ organization, key, limit }) => JSON.stringify([organization, key, limit]),
      (one, other) => (other.remaining < one.remaining ? other : one),
    )
      .sort((a, b) => a.remaining / a.limit - b.remaining / b.limit)
      .slice(0, MOST_TOLD),
  };
}

/** Each backend with what it is asked, and each of its addresses as all gateways see it. */
export function mergeUpstreams(
  services: Readonly<Record<string, ServiceEndpoint>>,
  gateways: readonly SeenGateway[],
) {
  const states = gateways.map(({ state }) => state);
  return Object.entries(services).map(([service, { urls }]) => {
    const asked = states.flatMap((state) => state.services).filter((row) => row.service === service);
    return {
      service,
      requestsPerSecond: asked.reduce((sum, { perSecond }) => sum + perSecond, 0),
      failuresPerSecond: asked.reduce((sum, { failuresPerSecond }) => sum + failuresPerSecond, 0),
      addresses: urls.map((url) => {
        const seen = states
          .flatMap(({ upstreams }) => upstreams)
          .filter((row) => row.service === service && row.address === url);
        const sum = (of: 'inFlight' | 'requests' | 'failures' | 'retries') =>
          seen.reduce((all, row) => all + row[of], 0);
        return {
          address: url,
          isChecked: seen.some(({ isHealthy }) => isHealthy !== null),
          hasBreaker: seen.some(({ breaker }) => breaker !== null),
          unhealthyAt: seen.filter(({ isHealthy }) => isHealthy === false).length,
          openAt: seen.filter(({ breaker }) => breaker === 'open').length,
          failingAt: seen.filter(({ breaker }) => breaker === 'failing').length,
          outAt: seen.filter(({ isHealthy, breaker }) => isHealthy === false || breaker === 'open').length,
          gateways: gateways.length,
          ...{ inFlight: sum('inFlight'), requests: sum('requests') },
          ...{ failures: sum('failures'), retries: sum('retries') },
        };
      }),
    };
  });
}
