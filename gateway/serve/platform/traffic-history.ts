/** What passed all gateways over time: read from what each of them wrote down, and put together. */
import type { PlatformData } from '../../../plugins/kit/platform-views.ts';
import { ACTIVITY_GRAINS } from '../../../services/shared/model/activity.ts';
import {
  PLATFORM_TRAFFIC,
  parseDurationLabel,
  parsePlatformLabels,
} from '../../../services/shared/model/platform-labels.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import { type ActivityRange, readActivity } from '../../../services/shared/usage/read-activity.ts';
import { cumulated, withinMs } from '../traffic/durations.ts';
import { ENDPOINT_SLOT_MS } from '../traffic/traffic-record.ts';

type History = NonNullable<PlatformData<'traffic'>['history']>;

/** How far back: by minutes, or by hours. */
export const TRAFFIC_RANGES = ['hour', 'day'] as const;
export type TrafficRangeName = (typeof TRAFFIC_RANGES)[number];

const HOUR_MS = ACTIVITY_GRAINS.hour.slotMs;
const HOURS_OF_DAY = 24;

/** Counts by how long requests took: by the upper bound of a bucket, in milliseconds. */
type Durations = Map<number, number>;

export async function readTrafficHistory(
  documents: Pick<DocumentStore, 'activity'>,
  name: TrafficRangeName,
  nowMs: number,
): Promise<History> {
  const range = rangeOf(name, nowMs);
  const zeros = () => new Array<number>(range.slots).fill(0);
  const [requests, limited, failed] = [zeros(), zeros(), zeros()];
  const durations = zeros().map((): Durations => new Map());
  const named = new Named();
  const endpoints = new Map<string, { counts: Map<string, number>; durations: Durations }>();
  const endpointOf = (endpoint: string) =>
    found(endpoints, endpoint, () => ({ counts: new Map(), durations: new Map() }));
  await readActivity(documents, PLATFORM_TRAFFIC, range, (labels, slot, count) => {
    const { what, name: label, of } = parsePlatformLabels(labels);
    const add = (counts: number[]) => {
      counts[slot] = (counts[slot] ?? 0) + count;
    };
    if (what === 'within') addTo(durations[slot] as Durations, parseDurationLabel(label), count);
    else if (what === 'took') addTo(endpointOf(label).durations, parseDurationLabel(of), count);
    else if (what === 'endpoint') addTo(endpointOf(label).counts, of, count);
    else named.add(what, label, of, count);
    if (what !== 'status') return;
    add(requests);
    if (label === '429') add(limited);
    if (label.startsWith('5')) add(failed);
  });
  const took = (share: number) => durations.map((each) => withinMs(cumulated(each), share));
  return {
    granularity: range.grain,
    start: new Date(range.startMs).toISOString(),
    end: new Date(range.endMs).toISOString(),
    ...{ requests, limited, failed },
    ...{ p50Ms: took(0.5), p95Ms: took(0.95), p99Ms: took(0.99) },
    statuses: named.all('status').map(([status, count]) => ({ status, requests: count })),
    endpoints: [...endpoints]
      .map(([endpoint, of]) => ({ endpoint: endpoint || null, ...endpointView(of) }))
      .sort((a, b) => b.requests - a.requests),
    limits: named.all('limit').map(([limit, refusals]) => ({ limit, refusals })),
    steps: named.all('step').map(([step, events]) => ({ step, events })),
    dropped: named.all('drop').map(([reason, events]) => ({ reason, events })),
    services: named.groups('service').map(([service, counts]) => ({
      service,
      requests: counts.get('requests') ?? 0,
      failures: counts.get('failures') ?? 0,
      retries: counts.get('retries') ?? 0,
    })),
  };
}

/** Up to now. By minutes it begins with a slot of endpoints, so that their numbers are those of the lines. */
function rangeOf(name: TrafficRangeName, nowMs: number): ActivityRange {
  const grain = name === 'hour' ? 'minute' : 'hour';
  const { slotMs } = ACTIVITY_GRAINS[grain];
  const endMs = (Math.floor(nowMs / slotMs) + 1) * slotMs;
  const startMs =
    name === 'hour'
      ? Math.floor((nowMs - HOUR_MS) / ENDPOINT_SLOT_MS) * ENDPOINT_SLOT_MS
      : endMs - HOURS_OF_DAY * slotMs;
  return { grain, startMs, endMs, slots: (endMs - startMs) / slotMs };
}

function endpointView({ counts, durations }: { counts: Map<string, number>; durations: Durations }) {
  const buckets = cumulated(durations);
  return {
    requests: [...counts.values()].reduce((sum, count) => sum + count, 0),
    refused: counts.get('refused') ?? 0,
    failed: counts.get('failed') ?? 0,
    p50Ms: withinMs(buckets, 0.5),
    p95Ms: withinMs(buckets, 0.95),
    p99Ms: withinMs(buckets, 0.99),
  };
}

/** Counts of the whole range by what they are and by name. */
class Named {
  readonly #groups = new Map<string, Map<string, Map<string, number>>>();

  add(what: string, name: string, of: string, count: number): void {
    const names = found(this.#groups, what, () => new Map());
    addTo(
      found(names, name, () => new Map()),
      of,
      count,
    );
  }

  /** The largest first. */
  all(what: string): [string, number][] {
    return this.groups(what)
      .map(([name, counts]): [string, number] => [name, counts.get('') ?? 0])
      .sort(([, one], [, other]) => other - one);
  }

  groups(what: string): [string, ReadonlyMap<string, number>][] {
    return [...(this.#groups.get(what) ?? [])];
  }
}

function addTo<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function found<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
