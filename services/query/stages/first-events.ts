/** Between resolve and plan: what is asked about all time starts with the day of the first event that is in reach. */
import { NO_ARGUMENTS } from '../catalogue/arguments.ts';
import { ALL_EVENTS, FIRST_EVENT } from '../catalogue/measures.ts';
import { dayStart } from '../time/buckets.ts';
import { HOUR_MS, type Zone } from '../time/zone.ts';
import type { ParsedRequest, RequestedDataset } from './parse.ts';
import type { QueryPlan } from './query-plan.ts';
import type { Reach } from './resolve.ts';
import { rowNames } from './row-names.ts';
import { type Run, runInOrder } from './run.ts';

/** A request object whose ranges are known. */
export interface DatedRequest extends ParsedRequest {
  /** If it is about all time: the instant of the first event, null where there is none. */
  readonly firstEvent?: number | null;
}

export interface DatingInput {
  readonly requests: readonly ParsedRequest[];
  /** Of each request object; equal selectors share one. */
  readonly reaches: readonly Reach[];
  readonly run: Run<QueryPlan>;
  readonly now: number;
  readonly signal: AbortSignal;
}

/** Looks the first event up once for each reach, and only for requests about all time. */
export async function dateRequests(input: DatingInput): Promise<DatedRequest[]> {
  const { requests, reaches, run, now, signal } = input;
  const asked = new Set(reaches.filter((_, at) => requests[at]?.isOfAllTime));
  const plans = [...asked].map((reach) => firstEventPlan(reach, now));
  const found = new Map<Reach, number | null>();
  for await (const [{ reach }, [row]] of runInOrder(plans, run, signal)) {
    const instant = row?.[rowNames.measure(MEASURE)];
    found.set(reach, typeof instant === 'number' ? instant : null);
  }
  return requests.map((request, at) => {
    const reach = reaches[at];
    const firstEvent = reach && request.isOfAllTime ? found.get(reach) : undefined;
    if (firstEvent === undefined) return request;
    const from = startOfDay(request.zone, firstEvent ?? now);
    return { ...request, firstEvent, parameters: request.parameters.map((asked) => startAt(asked, from)) };
  });
}

function startAt(asked: RequestedDataset, from: number): RequestedDataset {
  if (!asked.startsAtFirstEvent) return asked;
  const { to } = asked.range;
  return { ...asked, range: { from: Math.min(from, to), to } };
}

function startOfDay(zone: Zone, instant: number): number {
  return zone.instantOf(dayStart(zone.localOf(instant)));
}

const MEASURE = 'at';

/** Reads the instants alone. Events may be stamped up to an hour from now. */
function firstEventPlan(reach: Reach, now: number): QueryPlan {
  return {
    kind: 'row',
    unit: 'events',
    reach,
    range: { from: 0, to: now + HOUR_MS + 1 },
    scope: ALL_EVENTS,
    arguments: NO_ARGUMENTS,
    filters: [],
    dimensions: [],
    measures: { [MEASURE]: FIRST_EVENT },
    totals: [],
    buckets: [],
    order: [],
    limit: 1,
    offset: 0,
    columns: [],
  };
}
