/** What happened in a process between two readings of its metrics: for `tidegate top` and the views of operators. */
import type { Throttled } from '../access-log/throttled.ts';
import { type DurationBucket, withinMs } from './durations.ts';
import type { Sample, Samples } from './samples.ts';

/** An endpoint's requests: how many a second, how long half, 95 and 99 of 100 took at most, in milliseconds. */
export interface EndpointTraffic {
  readonly endpoint: string;
  readonly perSecond: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
  /** With status 4xx and 5xx. */
  readonly refusedPerSecond: number;
  readonly failedPerSecond: number;
}

/** Something that happens so often a second. */
export interface Rate {
  readonly name: string;
  readonly perSecond: number;
}

export interface Frame {
  /** When it was read, in ISO 8601, and how many seconds it is about. */
  readonly at: string;
  readonly seconds: number;
  readonly configuration: { readonly ageSeconds: number | null; readonly pinned: number | null };
  readonly process: {
    /** Of one processor. */
    readonly cpuPercent: number | null;
    readonly residentMb: number | null;
    readonly eventLoopP99Ms: number | null;
    readonly connections: number | null;
  };
  readonly requests: { readonly perSecond: number; readonly byStatus: readonly Rate[] };
  /** The busiest first. */
  readonly endpoints: readonly EndpointTraffic[];
  /** Refusals by the limits that refused. */
  readonly limits: readonly Rate[];
  readonly ingest: {
    readonly receivedPerSecond: number;
    readonly storedPerSecond: number;
    readonly dropped: readonly Rate[];
    readonly waiting: number | null;
  };
  /** What backends were asked, and how often they failed; the busiest first. */
  readonly services: readonly {
    readonly service: string;
    readonly perSecond: number;
    readonly failuresPerSecond: number;
  }[];
  readonly upstreams: readonly {
    readonly service: string;
    readonly address: string;
    readonly healthy: boolean;
  }[];
  /** 0: Redis answers; null: there is none. */
  readonly counterStore: number | null;
  /** Who was refused by a limit within the last minute; null where the process does not tell. */
  readonly throttled: readonly Throttled[] | null;
}

/** A reading of one time. */
export interface Reading {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly samples: Samples;
  readonly throttled: readonly Throttled[] | null;
}

const REQUESTS = 'tidegate_requests_total';
const DURATIONS = 'tidegate_request_duration_seconds_bucket';

export function frameOf(before: Reading, now: Reading): Frame {
  const seconds = Math.max((now.at - before.at) / 1_000, 0.001);
  const rates = new Rates(before.samples, now.samples, seconds);
  const { samples } = now;
  const milli = (seconds: number | null) => (seconds === null ? null : seconds * 1_000);
  const steps = rates.by('tidegate_ingest_events_total', 'step');
  const stepOf = (name: string) => steps.find((step) => step.name === name)?.perSecond ?? 0;
  const statuses = rates.by(REQUESTS, 'status');
  return {
    at: new Date(now.at).toISOString(),
    seconds,
    configuration: {
      ageSeconds: samples.sum('tidegate_configuration_age_seconds'),
      pinned: samples.sum('tidegate_configuration_pinned') || null,
    },
    process: {
      cpuPercent: cpuPercentOf(rates, samples),
      residentMb: dividedBy(samples.sum('process_resident_memory_bytes'), 1e6),
      eventLoopP99Ms: milli(samples.sum('nodejs_eventloop_lag_p99_seconds')),
      connections: samples.sum('tidegate_connections'),
    },
    requests: {
      perSecond: statuses.reduce((sum, { perSecond }) => sum + perSecond, 0),
      byStatus: statuses.filter(({ perSecond }) => perSecond > 0),
    },
    endpoints: endpointsOf(rates),
    limits: some(rates.by('tidegate_rate_limit_refused_total', 'limit')),
    ingest: {
      receivedPerSecond: stepOf('received'),
      storedPerSecond: stepOf('writeEvents'),
      dropped: some(rates.by('tidegate_ingest_dropped_events_total', 'reason')),
      waiting: samples.sum('tidegate_event_store_waiting_events'),
    },
    services: servicesOf(rates),
    upstreams: samples
      .all('tidegate_upstream_healthy')
      .filter(({ value }) => !Number.isNaN(value))
      .map(({ labels: { service = '', address = '' }, value }) => ({
        service,
        address,
        healthy: value === 1,
      })),
    counterStore: samples.sum('tidegate_counter_store_state'),
    throttled: now.throttled,
  };
}

/** How much a sample rose. */
interface Rise {
  readonly labels: Sample['labels'];
  readonly rise: number;
}

/** What rose between two readings. A process that was started again begins at 0. */
class Rates {
  readonly #before: Samples;
  readonly #now: Samples;
  readonly #seconds: number;

  constructor(before: Samples, now: Samples, seconds: number) {
    this.#before = before;
    this.#now = now;
    this.#seconds = seconds;
  }

  /** All samples of a name; there may be many thousand. */
  rises(name: string): Rise[] {
    const known = new Map(this.#before.all(name).map(({ labels, value }) => [keyOf(labels), value]));
    return this.#now.all(name).map(({ labels, value }) => {
      const earlier = known.get(keyOf(labels)) ?? 0;
      return { labels, rise: value >= earlier ? value - earlier : value };
    });
  }

  /** By the values of a label, the largest first. */
  by(name: string, label: string): Rate[] {
    return this.summed(this.rises(name), label);
  }

  /** The same of these alone. */
  summed(rises: readonly Rise[], label: string): Rate[] {
    const sums = new Map<string, number>();
    for (const { labels, rise } of rises) {
      const value = labels[label] ?? '';
      sums.set(value, (sums.get(value) ?? 0) + rise);
    }
    return [...sums]
      .map(([value, rise]) => ({ name: value, perSecond: rise / this.#seconds }))
      .sort((a, b) => b.perSecond - a.perSecond);
  }

  /** All together. */
  total(name: string): number {
    return this.by(name, '').reduce((sum, { perSecond }) => sum + perSecond, 0);
  }
}

function keyOf(labels: Sample['labels']): string {
  return JSON.stringify(labels);
}

/** Of each endpoint its own, found once for all of them. */
function byEndpoint(rises: readonly Rise[]): ReadonlyMap<string, readonly Rise[]> {
  const found = new Map<string, Rise[]>();
  for (const rise of rises) {
    const endpoint = rise.labels.endpoint ?? '';
    const known = found.get(endpoint);
    if (known) known.push(rise);
    else found.set(endpoint, [rise]);
  }
  return found;
}

function some(rates: readonly Rate[]): Rate[] {
  return rates.filter(({ perSecond }) => perSecond > 0);
}

function dividedBy(value: number | null, divisor: number): number | null {
  return value === null ? null : value / divisor;
}

function cpuPercentOf(rates: Rates, samples: Samples): number | null {
  const name = 'process_cpu_seconds_total';
  return samples.sum(name) === null ? null : 100 * rates.total(name);
}

function servicesOf(rates: Rates): Frame['services'] {
  const failures = rates.by('tidegate_upstream_failures_total', 'service');
  return rates.by('tidegate_upstream_requests_total', 'service').map(({ name, perSecond }) => ({
    service: name,
    perSecond,
    failuresPerSecond: failures.find((rate) => rate.name === name)?.perSecond ?? 0,
  }));
}

function endpointsOf(rates: Rates): EndpointTraffic[] {
  const requests = rates.rises(REQUESTS);
  const [ownRequests, ownDurations] = [byEndpoint(requests), byEndpoint(rates.rises(DURATIONS))];
  return some(rates.summed(requests, 'endpoint')).map(({ name, perSecond }) => {
    const statuses = rates.summed(ownRequests.get(name) ?? [], 'status');
    const withStatus = (digit: string) =>
      statuses.filter((rate) => rate.name.startsWith(digit)).reduce((sum, rate) => sum + rate.perSecond, 0);
    const buckets = rates
      .summed(ownDurations.get(name) ?? [], 'le')
      .map(({ name: le, perSecond: atMost }): DurationBucket => {
        return { upToMs: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le) * 1_000, atMost };
      })
      .sort((a, b) => a.upToMs - b.upToMs);
    return {
      endpoint: name,
      perSecond,
      p50Ms: withinMs(buckets, 0.5),
      p95Ms: withinMs(buckets, 0.95),
      p99Ms: withinMs(buckets, 0.99),
      refusedPerSecond: withStatus('4'),
      failedPerSecond: withStatus('5'),
    };
  });
}
