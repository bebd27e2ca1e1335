/** Writes down over time what a process measures of the installation's traffic: the differences of its metrics, outside of any request. */
import type { Logger } from 'pino';
import {
  ACTIVITY_GRAINS,
  type ActivityGrain,
  type ActivityIncrement,
  activitySlot,
  GRAINS,
  parseCell,
} from '../../../services/shared/model/activity.ts';
import {
  durationLabel,
  PLATFORM_TRAFFIC,
  platformLabels,
} from '../../../services/shared/model/platform-labels.ts';
import { parseRequestLabels } from '../../../services/shared/model/request-labels.ts';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import type { MetricReader } from '../../../services/shared/ports/metrics.ts';
import { createWriteBehind } from '../../../services/shared/usage/write-behind.ts';

/** How often metrics are read, in milliseconds: how late traffic shows, and what a killed process loses at most of it by the minute. */
const READ_MS = 10_000;
/** Every so many readings what is counted by the hour is written, too: its documents are larger. */
const READINGS_PER_HOUR_WRITE = 6;
/** Endpoints are told apart by the minute in slots of so many minutes: there are many of them. */
export const ENDPOINT_SLOT_MS = 10 * ACTIVITY_GRAINS.minute.slotMs;
/** Endpoints that a process tells apart within an hour; further ones are counted together. */
const MOST_ENDPOINTS = 60;
/** Organizations that a process counts at each reading, those with most requests and those that limits refuse most; and within an hour. */
const BUSIEST = 50;
const MOST_ORGANIZATIONS = 200;
/** Counts that wait for a store that does not answer; further ones are dropped, and told. */
const MOST_WAITING = 20_000;

export interface TrafficRecordPorts {
  readonly metrics: MetricReader;
  readonly documents: Pick<DocumentStore, 'addActivity'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

export interface TrafficRecord {
  /** Takes the requests of organizations as they were written; the busiest are told apart by the hour. */
  countOrganizations(increments: readonly ActivityIncrement[]): void;
  /** Reads and writes now. Never rejects. */
  flush(): Promise<void>;
  /** Stops the timer and writes the rest. Never rejects. */
  close(): Promise<void>;
}

/** What waits to be added to the documents of a grain, by when they begin. */
type Waiting = Record<ActivityGrain, Map<number, Map<string, number>>>;

export function recordTraffic({ metrics, documents, clock, logger }: TrafficRecordPorts): TrafficRecord {
  const before = new Map<object, number | readonly number[]>();
  const waiting: Waiting = { minute: new Map(), hour: new Map() };
  let cells = 0;
  let lost = 0;
  let readings = 0;
  let isSilent = false;
  /** What is read next happened from here on. */
  let sinceMs = clock.now();
  const known = { hour: 0, endpoints: new Set<string>(), organizations: new Set<string>() };
  let organizations = new Map<string, OrganizationRequests>();

  function wait(grain: ActivityGrain, startsAtMs: number, name: string, count: number): void {
    const counts = waiting[grain].get(startsAtMs) ?? new Map<string, number>();
    waiting[grain].set(startsAtMs, counts);
    const present = counts.get(name);
    if (present === undefined && cells >= MOST_WAITING) {
      lost += count;
      return;
    }
    if (present === undefined) cells++;
    counts.set(name, (present ?? 0) + count);
  }

  function addTo(grain: ActivityGrain, atMs: number, labels: string, count: number): void {
    const { slot, startsAtMs } = activitySlot(grain, atMs);
    wait(grain, startsAtMs, `${slot}|${labels}`, count);
  }

  function add(labels: string, count: number, minuteMs = sinceMs): void {
    addTo('minute', minuteMs, labels, count);
    addTo('hour', sinceMs, labels, count);
  }

  function addOfEndpoint(what: 'endpoint' | 'took', endpoint: string, of: string, count: number): void {
    const name = known.endpoints.has(endpoint) || known.endpoints.size < MOST_ENDPOINTS ? endpoint : '';
    if (name !== '') known.endpoints.add(name);
    const slotMs = Math.floor(sinceMs / ENDPOINT_SLOT_MS) * ENDPOINT_SLOT_MS;
    add(platformLabels(what, name, of), count, slotMs);
  }

  function addOrganizations(): void {
    const all = [...organizations];
    organizations = new Map();
    for (const what of ['requests', 'limited'] as const) {
      const busiest = all.sort(([, one], [, other]) => other[what] - one[what]).slice(0, BUSIEST);
      for (const [id, counts] of busiest) {
        const isKnown = known.organizations.has(id) || known.organizations.size < MOST_ORGANIZATIONS;
        if (!isKnown || counts[what] === 0) continue;
        known.organizations.add(id);
        addTo('hour', sinceMs, platformLabels('organization', id, what), counts[what]);
      }
    }
  }

  /** How much each cell of a counter rose; one that was not read before began at 0. */
  function eachRise(name: string, each: (labels: Labels, rise: number) => void): void {
    for (const { labels, cell } of metrics.counts(name)) {
      const { value } = cell;
      const rise = value - ((before.get(labels) as number | undefined) ?? 0);
      before.set(labels, value);
      if (rise > 0) each(labels, rise);
    }
  }

  function eachDuration(each: (endpoint: string, label: string, rise: number) => void): void {
    for (const { labels, cell } of metrics.distributions('tidegate_request_duration_seconds')) {
      const earlier = (before.get(labels) as readonly number[] | undefined) ?? [];
      before.set(labels, [...cell.counts]);
      for (const [index, count] of cell.counts.entries()) {
        const rise = count - (earlier[index] ?? 0);
        const upTo = cell.bounds[index] ?? Number.POSITIVE_INFINITY;
        if (rise > 0) each(labels.endpoint ?? '', durationLabel(upTo), rise);
      }
    }
  }

  function read(): void {
    const hour = Math.floor(sinceMs / ACTIVITY_GRAINS.hour.slotMs);
    if (hour !== known.hour) {
      Object.assign(known, { hour, endpoints: new Set(), organizations: new Set() });
    }
    eachRise('tidegate_requests_total', ({ endpoint = '', status = '' }, rise) => {
      add(platformLabels('status', status), rise);
      addOfEndpoint('endpoint', endpoint, outcomeOf(status), rise);
    });
    eachDuration((endpoint, label, rise) => {
      add(platformLabels('within', label), rise);
      addOfEndpoint('took', endpoint, label, rise);
    });
    for (const [name, what, label] of COUNTERS)
      eachRise(name, (labels, rise) => add(platformLabels(what, labels[label] ?? ''), rise));
    for (const [name, of] of OF_SERVICES)
      eachRise(name, ({ service = '' }, rise) => add(platformLabels('service', service, of), rise));
    addOrganizations();
    sinceMs = clock.now();
  }

  function take(grains: readonly ActivityGrain[]) {
    const taken = grains.flatMap((grain) => [...waiting[grain]].map((entry) => [grain, ...entry] as const));
    for (const grain of grains) waiting[grain] = new Map();
    for (const [, , counts] of taken) cells -= counts.size;
    return taken;
  }

  async function write(grains: readonly ActivityGrain[]): Promise<void> {
    read();
    const taken = take(grains);
    try {
      await documents.addActivity(
        taken.map(([grain, startsAtMs, counts]) => ({
          ...PLATFORM_TRAFFIC,
          ...{ grain, startsAtMs, counts: Object.fromEntries(counts) },
        })),
      );
      isSilent = false;
    } catch (fault) {
      for (const [grain, startsAtMs, counts] of taken)
        for (const [name, count] of counts) wait(grain, startsAtMs, name, count);
      // Once per outage: operators learn of stores that are down elsewhere.
      if (!isSilent) logger.warn({ err: fault }, 'traffic over time could not be written; tried again');
      isSilent = true;
    }
    if (lost > 0) {
      logger.warn({ lost }, 'too many counts of traffic wait: these were dropped');
      lost = 0;
    }
  }

  const timed = createWriteBehind(
    () => write(++readings % READINGS_PER_HOUR_WRITE === 0 ? GRAINS : ['minute']),
    READ_MS,
  );
  const flush = (): Promise<void> => write(GRAINS);
  return {
    countOrganizations(increments) {
      // Each request is counted by the minute, too.
      for (const { grain, organizationId, counts } of increments)
        if (grain === 'hour') addRequests(organizations, organizationId, counts);
    },
    flush,
    async close() {
      await timed.close();
      await flush();
    },
  };
}

interface OrganizationRequests {
  requests: number;
  limited: number;
}

function addRequests(
  organizations: Map<string, OrganizationRequests>,
  id: string,
  counts: ActivityIncrement['counts'],
): void {
  const found = organizations.get(id) ?? { requests: 0, limited: 0 };
  organizations.set(id, found);
  for (const [name, count] of Object.entries(counts)) {
    found.requests += count;
    if (parseRequestLabels(parseCell(name).labels).outcome === 'limited') found.limited += count;
  }
}

type Labels = Readonly<Record<string, string>>;

/** Counters, what they count, and by which label. */
const COUNTERS = [
  ['tidegate_rate_limit_refused_total', 'limit', 'limit'],
  ['tidegate_ingest_events_total', 'step', 'step'],
  ['tidegate_ingest_dropped_events_total', 'drop', 'reason'],
] as const;
const OF_SERVICES = [
  ['tidegate_upstream_requests_total', 'requests'],
  ['tidegate_upstream_failures_total', 'failures'],
  ['tidegate_upstream_retries_total', 'retries'],
] as const;

function outcomeOf(status: string): string {
  if (status.startsWith('4')) return 'refused';
  return status.startsWith('5') ? 'failed' : 'other';
}
