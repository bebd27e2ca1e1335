/** Funnels, retention and journeys, evaluated by walking over the events of each visitor or session. */
import type { EventRecord } from '../../../../services/shared/model/event-record.ts';
import { type NaiveBucket, type NaiveRange, naiveBuckets } from './calendar.ts';
import { isMatch, type Match } from './matches.ts';
import {
  compareText,
  type Events,
  groupBy,
  iso,
  isPageview,
  percent,
  quantileOf,
  type Row,
} from './measures.ts';

export interface FunnelQuestion {
  readonly steps: readonly Match[];
  readonly ordered?: boolean;
  readonly windowSeconds?: number;
  readonly exclude?: Match;
}

/** An event at its instant, among those of the same instant by the first step that it matches; 0: it ends attempts. */
interface Placed {
  readonly instant: number;
  readonly first: number;
  readonly steps: ReadonlySet<number>;
}

const compare = (a: Placed, b: Placed) => a.instant - b.instant || a.first - b.first;

const idsOf = (events: Events, column: 'anonymous_id' | 'session_id') =>
  groupBy(
    events.filter((event) => event[column]),
    (event) => event[column] ?? '',
  );

/** The instants of the steps of the attempt that counts for a visitor. */
function attemptOf(own: Events, question: FunnelQuestion): number[] {
  const placed = own
    .map((event) => placeOf(event, question))
    .filter((each) => each !== null)
    .sort(compare);
  const attempts = placed
    .filter(({ first }) => first > 0)
    .map((start) => ({ start, instants: instantsFrom(start, placed, question) }))
    .filter(({ instants }) => instants.length > 0)
    .sort((a, b) => b.instants.length - a.instants.length || compare(a.start, b.start));
  return attempts[0]?.instants ?? [];
}

function placeOf(event: EventRecord, { steps, exclude }: FunnelQuestion): Placed | null {
  const instant = event.timestamp;
  if (exclude && isMatch(event, exclude)) return { instant, first: 0, steps: new Set() };
  const matched = steps.flatMap((step, index) => (isMatch(event, step) ? [index + 1] : []));
  return matched[0] === undefined ? null : { instant, first: matched[0], steps: new Set(matched) };
}

function instantsFrom(
  start: Placed,
  placed: readonly Placed[],
  { steps, ordered = true, windowSeconds = 604_800 }: FunnelQuestion,
): number[] {
  const end = placed.find((each) => each.first === 0 && compare(each, start) > 0);
  const isIn = (each: Placed) =>
    each.instant <= start.instant + windowSeconds * 1_000 && (!end || compare(each, end) < 0);
  if (!ordered) {
    const firsts = steps.map((_, index) =>
      placed.find((each) => each.steps.has(index + 1) && compare(each, start) >= 0),
    );
    return firsts
      .filter((each) => each !== undefined)
      .filter(isIn)
      .map(({ instant }) => instant)
      .sort((a, b) => a - b);
  }
  if (!start.steps.has(1)) return [];
  let last = start;
  const instants = [start.instant];
  for (let step = 2; step <= steps.length; step++) {
    const next = placed.find((each) => each.steps.has(step) && compare(each, last) > 0);
    if (!next || !isIn(next)) break;
    instants.push(next.instant);
    last = next;
  }
  return instants;
}

export function funnelRows(events: Events, question: FunnelQuestion): Row[] {
  const { steps, ordered = true } = question;
  const attempts = idsOf(events, 'anonymous_id').map((own) => attemptOf(own, question));
  const counts = steps.map((_, index) => attempts.filter(({ length }) => length > index).length);
  return steps.map(({ match }, index) => {
    const visitors = counts[index] ?? 0;
    const previous = counts[index - 1] ?? visitors;
    const took = attempts
      .filter(({ length }) => index > 0 && length > index)
      .map((instants) => (instants[index] ?? 0) - (instants[index - 1] ?? 0));
    return {
      step: index + 1,
      name: ordered ? [match.value].flat().join(', ') : `${index + 1} of ${steps.length}`,
      visitors,
      conversion_rate: percent(visitors, counts[0] ?? 0),
      step_rate: percent(visitors, previous),
      dropped: previous - visitors,
      median_seconds_from_previous: quantileOf(took, 50),
    };
  });
}

export function funnelSeries(
  events: Events,
  question: FunnelQuestion,
  buckets: readonly NaiveBucket[],
): Row[] {
  const attempts = idsOf(events, 'anonymous_id').map((own) => attemptOf(own, question));
  return buckets.map(({ label, start, holds }) => {
    const entered = attempts.filter(([first]) => first !== undefined && holds(first));
    const converted = entered.filter(({ length }) => length === question.steps.length);
    return {
      date: label,
      ...(start === undefined ? {} : { timestamp: iso(start) }),
      visitors: entered.length,
      converted: converted.length,
      conversion_rate: percent(converted.length, entered.length),
      median_seconds_to_convert: quantileOf(
        converted.map((instants) => (instants.at(-1) ?? 0) - (instants[0] ?? 0)),
        50,
      ),
    };
  });
}

export interface RetentionQuestion {
  readonly unit?: 'day' | 'week' | 'month';
  readonly mode?: 'exact' | 'rolling';
  readonly start?: Match;
  readonly returning?: Match;
}

export function retentionRows(
  events: Events,
  { unit = 'day', mode = 'exact', start, returning }: RetentionQuestion,
  range: NaiveRange,
): Row[] {
  const buckets = naiveBuckets(range, { day: 'daily', week: 'weekly', month: 'monthly' }[unit]);
  const periodsOf = (own: Events, match?: Match) =>
    own
      .filter((event) => !match || isMatch(event, match))
      .map(({ timestamp }) => buckets.findIndex(({ holds }) => holds(timestamp)));
  const visitors = idsOf(events, 'anonymous_id')
    .map((own) => ({ cohort: Math.min(...periodsOf(own, start)), there: periodsOf(own, returning) }))
    .filter(({ cohort }) => Number.isFinite(cohort));
  return buckets.flatMap(({ label }, cohort) => {
    const own = visitors.filter((visitor) => visitor.cohort === cohort);
    return buckets.slice(cohort).map((_, period) => {
      const back = own.filter(({ there }) =>
        there.some((at) => (mode === 'exact' ? at === cohort + period : at >= cohort + period)),
      );
      const returned = period === 0 ? own.length : back.length;
      return {
        date: label,
        period,
        cohort_visitors: own.length,
        visitors: returned,
        percentage: percent(returned, own.length),
      };
    });
  });
}

export interface JourneyQuestion {
  readonly start: Match;
  readonly direction?: 'forward' | 'backward';
  readonly steps?: number;
  readonly width?: number;
}

const IGNORED = ['page_exit', 'outgoing_link', 'error', 'web_vitals', 'link_click'];

interface Stop {
  readonly type: string;
  readonly name: string;
}

const sameStop = (a: Stop | undefined, b: Stop) => a?.type === b.type && a.name === b.name;
const compareStops = (a: Stop | null, b: Stop | null) =>
  Number(a !== null) - Number(b !== null) ||
  compareText(a?.type ?? '', b?.type ?? '') ||
  compareText(a?.name ?? '', b?.name ?? '');

/** The stops of a session from its start on, which is the first. */
function stopsOf(own: Events, { start, direction = 'forward', steps = 5 }: JourneyQuestion): Stop[] {
  const walked = own
    .map((event) => ({
      instant: event.timestamp,
      type: isPageview(event) ? 'page' : 'event',
      name: isPageview(event) ? event.path || 'Unknown' : event.event_name,
      starts: isMatch(event, start),
    }))
    .sort((a, b) => a.instant - b.instant || compareStops(a, b));
  const stops: (Stop & { starts: boolean })[] = [];
  for (const { type, name, starts } of walked) {
    const last = stops.at(-1);
    if (last && sameStop(last, { type, name })) last.starts ||= starts;
    else stops.push({ type, name, starts });
  }
  const at = stops.findIndex(({ starts }) => starts);
  if (at === -1) return [];
  const found = direction === 'forward' ? stops.slice(at) : stops.slice(0, at + 1).reverse();
  return found.slice(0, steps + 1).map(({ type, name }) => ({ type, name }));
}

export function journeyRows(events: Events, question: JourneyQuestion): Row[] {
  const { steps = 5, width = 10 } = question;
  const all = idsOf(
    events.filter(({ event_name }) => !IGNORED.includes(event_name)),
    'session_id',
  ).map((own) => stopsOf(own, question));
  const journeys = all.filter(({ length }) => length > 0);
  const shown = Array.from({ length: steps + 1 }, (_, step) => mostOf(journeys, step).slice(0, width));
  const labelled = journeys.map((stops) =>
    stops.map((stop, step) =>
      shown[step]?.some((each) => sameStop(each, stop)) ? stop : { type: 'other', name: '(other)' },
    ),
  );
  const links = new Map<string, { step: number; from: Stop | null; to: Stop; sessions: number }>();
  for (const stops of labelled) {
    for (const [step, to] of stops.entries()) {
      const from = stops[step - 1] ?? null;
      const key = JSON.stringify([step, from, to]);
      links.set(key, { step, from, to, sessions: (links.get(key)?.sessions ?? 0) + 1 });
    }
  }
  return [...links.values()]
    .sort((a, b) => a.step - b.step || compareStops(a.from, b.from) || compareStops(a.to, b.to))
    .map(({ step, from, to, sessions }) => ({
      step,
      from_type: from?.type ?? null,
      from_name: from?.name ?? null,
      type: to.type,
      name: to.name,
      sessions,
      percentage: percent(sessions, journeys.length),
    }));
}

function mostOf(journeys: readonly (readonly Stop[])[], step: number): Stop[] {
  const counted: { stop: Stop; times: number }[] = [];
  for (const stop of journeys.flatMap((stops) => stops.slice(step, step + 1))) {
    const known = counted.find((each) => sameStop(each.stop, stop));
    if (known) known.times += 1;
    else counted.push({ stop, times: 1 });
  }
  return counted.sort((a, b) => b.times - a.times || compareStops(a.stop, b.stop)).map(({ stop }) => stop);
}
