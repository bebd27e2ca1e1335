/**
 * Answers datasets by walking over events, in the plainest way that the definitions allow. It shares no code with the
 * service: days and hours come from Intl, so that a fault of the service's own calendar cannot hide.
 */
import type { EventRecord } from '../../../services/shared/model/event-record.ts';

/** Days on the wall clock of a zone, both inclusive. */
export interface NaiveRange {
  readonly zone: string;
  readonly startDate: string;
  readonly endDate: string;
}

type Row = Record<string, string | number>;

const RESERVED = ['screen_view', 'page_exit', 'outgoing_link', 'error', 'web_vitals', 'link_click'];
const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;

/** Date and hour that a wall clock in `zone` shows. */
export function createWallClock(zone: string): (instant: number) => { date: string; hour: string } {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  return (instant) => {
    const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    return { date: `${part.year}-${part.month}-${part.day}`, hour: part.hour ?? '' };
  };
}

/** The rows of every dataset over `events`, which are already those of the site and pass its filters. */
export function evaluateNaively(events: readonly EventRecord[], range: NaiveRange): Record<string, Row[]> {
  const clock = createWallClock(range.zone);
  const isInRange = (event: EventRecord) => {
    const { date } = clock(event.timestamp);
    return !event.is_bot && date >= range.startDate && date <= range.endDate;
  };
  const found = events.filter(isInRange).sort((a, b) => a.timestamp - b.timestamp);
  const pageviews = found.filter((event) => event.event_name === 'screen_view');
  const custom = found.filter((event) => !RESERVED.includes(event.event_name));
  return {
    hourly: series(found, hoursOf(range, clock), 'hourly'),
    daily: series(
      found,
      daysOf(range, (day) => day),
      'daily',
    ),
    weekly: series(found, daysOf(range, sundayOf), 'weekly'),
    monthly: series(
      found,
      daysOf(range, (day) => `${day.slice(0, 7)}-01`),
      'monthly',
    ),
    summary_metrics: [summaryMetrics(found)],
    pages: pages(pageviews),
    traffic: traffic(pageviews),
    custom_events: customEvents(custom),
    custom_events_summary: [customEventsSummary(custom)],
  };
}

/** A bucket as its label, its start when it is an hour, and which instants it holds. */
interface NaiveBucket {
  readonly label: string;
  readonly start?: number;
  holds(instant: number): boolean;
}

/** Walks the range in quarters of an hour; every change of what the clock shows, or of its offset, starts a bucket. */
function hoursOf(
  { startDate, endDate }: NaiveRange,
  clock: ReturnType<typeof createWallClock>,
): NaiveBucket[] {
  const starts: { label: string; start: number }[] = [];
  let shown = '';
  let quartersShown = 0;
  let end = 0;
  for (let at = Date.parse(startDate) - DAY_MS; at < Date.parse(endDate) + 2 * DAY_MS; at += QUARTER_MS) {
    const { date, hour } = clock(at);
    if (date < startDate || date > endDate) continue;
    end = at + QUARTER_MS;
    const label = `${date} ${hour}:00:00`;
    const minute = minuteOf(at, clock);
    if (label !== shown || minute < quartersShown) starts.push({ label, start: at });
    shown = label;
    quartersShown = minute;
  }
  return starts.map(({ label, start }, index) => {
    const until = starts[index + 1]?.start ?? end;
    return { label, start, holds: (instant) => instant >= start && instant < until };
  });
}

/** Quarters since the clock last showed another hour, so that an hour that starts again is seen. */
function minuteOf(at: number, clock: ReturnType<typeof createWallClock>): number {
  const { hour } = clock(at);
  let quarters = 0;
  while (quarters < 4 && clock(at - (quarters + 1) * QUARTER_MS).hour === hour) quarters += 1;
  return quarters % 4;
}

function daysOf({ zone, startDate, endDate }: NaiveRange, labelOf: (day: string) => string): NaiveBucket[] {
  const clock = createWallClock(zone);
  const labels = new Set<string>();
  for (let day = Date.parse(startDate); day <= Date.parse(endDate); day += DAY_MS) {
    labels.add(labelOf(new Date(day).toISOString().slice(0, 10)));
  }
  return [...labels].map((label) => ({ label, holds: (instant) => labelOf(clock(instant).date) === label }));
}

function sundayOf(day: string): string {
  const instant = Date.parse(day);
  return new Date(instant - new Date(instant).getUTCDay() * DAY_MS).toISOString().slice(0, 10);
}

interface Session {
  readonly first: number;
  readonly duration: number;
  readonly pageviews: number;
}

function sessionsOf(events: readonly EventRecord[]): Session[] {
  return [...groupBy(events, (event) => event.session_id ?? '')].flatMap(([id, own]) => {
    if (id === '') return [];
    const times = own.map((event) => event.timestamp);
    const first = Math.min(...times);
    const pageviews = own.filter((event) => event.event_name === 'screen_view').length;
    return [{ first, duration: Math.max(...times) - first, pageviews }];
  });
}

function series(events: readonly EventRecord[], buckets: readonly NaiveBucket[], granularity: string): Row[] {
  const all = sessionsOf(events);
  return buckets.map(({ label, start, holds }) => {
    const own = events.filter((event) => holds(event.timestamp));
    const sessions = all.filter((session) => holds(session.first));
    const pageviews = own.filter((event) => event.event_name === 'screen_view').length;
    return {
      date: label,
      ...(granularity === 'hourly' ? { timestamp: new Date(start ?? 0).toISOString() } : {}),
      pageviews,
      visitors: distinct(own, 'anonymous_id'),
      sessions: sessions.length,
      bounce_rate: percent(sessions.filter((session) => session.pageviews === 1).length, sessions.length),
      median_session_duration: medianSeconds(sessions),
      pages_per_session: sessions.length === 0 ? 0 : Math.round((pageviews / sessions.length) * 100) / 100,
    };
  });
}

function summaryMetrics(events: readonly EventRecord[]): Row {
  const sessions = sessionsOf(events);
  const visitors = distinct(events, 'anonymous_id');
  return {
    pageviews: events.filter((event) => event.event_name === 'screen_view').length,
    unique_visitors: visitors,
    visitors,
    sessions: sessions.length,
    bounce_rate: percent(sessions.filter((session) => session.pageviews === 1).length, sessions.length),
    median_session_duration: medianSeconds(sessions),
    avg_session_duration: medianSeconds(sessions),
    total_events: events.length,
  };
}

function pages(events: readonly EventRecord[]): Row[] {
  const rows = [...groupBy(events, (event) => event.path || 'Unknown')].map(([path, own]) => ({
    path,
    pageviews: own.length,
    visitors: distinct(own, 'anonymous_id'),
  }));
  return rows.sort((a, b) => b.pageviews - a.pageviews || compareText(a.path, b.path));
}

function traffic(events: readonly EventRecord[]): Row[] {
  const source = (event: EventRecord) => event.referrer_group || 'direct';
  const referrer = (event: EventRecord) =>
    event.referrer_group === 'direct' ? 'Direct' : event.referrer_host || 'Direct';
  const groups = groupBy(events, (event) => JSON.stringify([source(event), referrer(event)]));
  const rows = [...groups.values()].flatMap((own) =>
    own.slice(0, 1).map((event) => ({
      source: source(event),
      referrer: referrer(event),
      pageviews: own.length,
      visitors: distinct(own, 'anonymous_id'),
      percentage: percent(own.length, events.length),
    })),
  );
  return rows.sort(
    (a, b) =>
      b.pageviews - a.pageviews || compareText(a.source, b.source) || compareText(a.referrer, b.referrer),
  );
}

function customEvents(events: readonly EventRecord[]): Row[] {
  const rows = [...groupBy(events, (event) => event.event_name)].map(([name, own]) => ({
    name,
    total_events: own.length,
    unique_users: distinct(own, 'anonymous_id'),
    unique_sessions: distinct(own, 'session_id'),
    first_occurrence: new Date(Math.min(...own.map((event) => event.timestamp))).toISOString(),
    last_occurrence: new Date(Math.max(...own.map((event) => event.timestamp))).toISOString(),
    events_with_properties: own.filter((event) => event.properties !== null && event.properties !== '{}')
      .length,
    percentage: percent(own.length, events.length),
  }));
  return rows.sort((a, b) => b.total_events - a.total_events || compareText(a.name, b.name));
}

function customEventsSummary(events: readonly EventRecord[]): Row {
  return {
    total_events: events.length,
    unique_event_types: distinct(events, 'event_name'),
    unique_users: distinct(events, 'anonymous_id'),
    unique_sessions: distinct(events, 'session_id'),
    unique_pages: distinct(events, 'path'),
  };
}

function groupBy(
  events: readonly EventRecord[],
  key: (event: EventRecord) => string,
): Map<string, EventRecord[]> {
  const groups = new Map<string, EventRecord[]>();
  for (const event of events) groups.set(key(event), [...(groups.get(key(event)) ?? []), event]);
  return groups;
}

function distinct(
  events: readonly EventRecord[],
  column: 'anonymous_id' | 'session_id' | 'path' | 'event_name',
) {
  return new Set(events.map((event) => event[column]).filter(Boolean)).size;
}

function percent(of: number, by: number): number {
  return by === 0 ? 0 : Math.round((of / by) * 10_000) / 100;
}

function medianSeconds(sessions: readonly Session[]): number {
  const sorted = sessions.map((session) => session.duration).sort((a, b) => a - b);
  if (sorted.length === 0) return 0;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return Math.round((lower + upper) / 2 / 10) / 100;
}

/** By the bytes of UTF-8, as stores compare. */
function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
