/** Datasets about what their arguments name, and about now, evaluated by walking over events. */
import type { EventRecord } from '../../../../services/shared/model/event-record.ts';
import { latestFirst } from './events.ts';
import { list } from './list.ts';
import {
  compareText,
  distinct,
  type Events,
  iso,
  isPageview,
  pageviewsOf,
  type Row,
  ratio,
  referrerHostOf,
  visitorsOf,
} from './measures.ts';
import { sessionList } from './sessions.ts';

export interface DetailQuestion {
  readonly inRange: Events;
  readonly keep: (inRange: Events) => Events;
  /** Arguments by the name of their dataset. */
  readonly given: Readonly<Record<string, unknown>>;
}

export function detailDatasets({ inRange, keep, given }: DetailQuestion): Record<string, Row[]> {
  const { visitorId } = given.visitor_sessions as { visitorId: string };
  const { sessionId } = given.session_events as { sessionId: string };
  const sessions = new Set(
    inRange.filter((event) => event.anonymous_id === visitorId).map(({ session_id }) => session_id),
  );
  return {
    visitor_sessions: sessionList(keep(inRange).filter(({ session_id }) => sessions.has(session_id))),
    session_events: eventsOfSession(inRange, keep(inRange), sessionId),
  };
}

const SHOWN = ['event_name', 'path', 'title', 'referrer', 'properties'] as const;

function eventsOfSession(inRange: Events, kept: Events, sessionId: string): Row[] {
  const own = inRange.filter((event) => event.session_id === sessionId).sort(byTimeAndText);
  const rows = own.map((event, index) => {
    const next = own[index + 1];
    return { event, untilNext: next ? next.timestamp - event.timestamp : null };
  });
  return rows
    .filter(({ event }) => kept.includes(event))
    .sort((a, b) => byTimeAndText(a.event, b.event) || (a.untilNext ?? -1) - (b.untilNext ?? -1))
    .map(({ event, untilNext }) => ({
      timestamp: iso(event.timestamp),
      event_name: event.event_name,
      path: event.path || null,
      title: event.title || null,
      referrer: event.referrer || null,
      properties: propertiesOf(event),
      until_next: untilNext === null ? null : ratio(untilNext, 1000),
    }));
}

function byTimeAndText(a: EventRecord, b: EventRecord): number {
  if (a.timestamp !== b.timestamp) return a.timestamp - b.timestamp;
  return SHOWN.reduce((order, column) => order || compareText(a[column] || '', b[column] || ''), 0);
}

function propertiesOf({ properties }: EventRecord): object | null {
  return properties === null ? null : (JSON.parse(properties) as object);
}

const LIVE = [
  'event_name',
  'path',
  'title',
  'referrer',
  'country',
  'city',
  'device_type',
  'browser_name',
  'os_name',
  'properties',
  'anonymous_id',
  'session_id',
] as const;

/** Datasets of the last minutes; `live`: of the last thirty. */
export function presentDatasets(active: Events, live: Events): Record<string, Row[]> {
  const by = (name: (event: EventRecord) => string) =>
    list(
      active.filter(isPageview),
      { name },
      (own) => ({ visitors: visitorsOf(own), pageviews: own.length }),
      'visitors',
    );
  return {
    active_now: [
      {
        visitors: visitorsOf(active),
        sessions: distinct(active, 'session_id'),
        pageviews: pageviewsOf(active),
        total_events: active.length,
      },
    ],
    active_pages: by((event) => event.path || 'Unknown'),
    active_sources: by(referrerHostOf),
    active_countries: by((event) => event.country || 'Unknown'),
    events_live: latestFirst(live, LIVE, (event) => ({
      ...Object.fromEntries(LIVE.map((column) => [column, event[column] || null])),
      properties: propertiesOf(event),
    })),
  };
}
