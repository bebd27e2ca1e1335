/** Datasets of sessions and visitors, evaluated by walking over events. */
import {
  distinct,
  type Events,
  firstInstant,
  groupBy,
  iso,
  isPageview,
  lastInstant,
  mean,
  mostFirst,
  pageviewsOf,
  percent,
  quantile,
  quantileOf,
  type Row,
  ratio,
  referrerOf,
  textAt,
  visitorsOf,
} from './measures.ts';

export interface Session {
  readonly events: Events;
  readonly first: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly pageviews: number;
  readonly visitor: string | null;
}

export function sessionsOf(events: Events): Session[] {
  const withSession = events.filter((event) => Boolean(event.session_id));
  return groupBy(withSession, (event) => event.session_id ?? '').map((own) => ({
    events: own,
    first: firstInstant(own),
    duration: lastInstant(own) - firstInstant(own),
    pageviews: pageviewsOf(own),
    visitor: textAt(own, 'first', (event) => event.anonymous_id),
  }));
}

export function viewedSessionsOf(events: Events): Session[] {
  return sessionsOf(events).filter(({ pageviews }) => pageviews > 0);
}

export function medianDuration(sessions: readonly Session[]): number {
  return quantileOf(
    sessions.map(({ duration }) => duration),
    50,
  );
}

export function bounceRate(sessions: readonly Session[]): number {
  return percent(sessions.filter(({ pageviews }) => pageviews === 1).length, sessions.length);
}

export function visitorsOfSessions(sessions: readonly Session[]): number {
  return new Set(sessions.map(({ visitor }) => visitor).filter(Boolean)).size;
}

const first = (events: Events, column: 'country' | 'device_type' | 'browser_name' | 'os_name') =>
  textAt(events, 'first', (event) => event[column]) ?? 'Unknown';

function traits(events: Events): Row {
  return {
    country: first(events, 'country'),
    referrer: textAt(events, 'first', referrerOf) ?? 'Direct',
    device_type: first(events, 'device_type'),
    browser_name: first(events, 'browser_name'),
    os_name: first(events, 'os_name'),
  };
}

function visit(events: Events): Row {
  return { first_visit: iso(firstInstant(events)), last_visit: iso(lastInstant(events)) };
}

function latestFirst(rows: readonly Row[], name: string): Row[] {
  return mostFirst(
    rows.map((row) => ({ ...row, at: Date.parse(String(row.last_visit)) })),
    'at',
    name,
  ).map(({ at: _at, ...row }) => row);
}

const RANGES = [
  ['0-30s', 0, 30],
  ['30s-1m', 30, 60],
  ['1m-5m', 60, 300],
  ['5m-15m', 300, 900],
  ['15m-1h', 900, 3600],
  ['1h+', 3600, Infinity],
] as const;

/** The page of the first or last pageview. */
function pagesAt(events: Events, at: 'first' | 'last'): Row[] {
  const sessions = viewedSessionsOf(events);
  const pageOf = (session: Session) =>
    textAt(session.events.filter(isPageview), at, (event) => event.path) ?? 'Unknown';
  // A visitor here is the one that the pageviews of the session name first.
  const rows = [...new Set(sessions.map(pageOf))].map((name) => {
    const own = sessions.filter((session) => pageOf(session) === name);
    const visitors = own.map((session) =>
      textAt(session.events.filter(isPageview), 'first', (event) => event.anonymous_id),
    );
    return {
      name,
      pageviews: own.length,
      visitors: new Set(visitors.filter(Boolean)).size,
      percentage: percent(own.length, sessions.length),
    };
  });
  return mostFirst(rows, 'pageviews', 'name');
}

function sessionsBy(events: Events, column: 'device_type' | 'browser_name'): Row[] {
  const sessions = viewedSessionsOf(events);
  const names = new Set(sessions.map((session) => first(session.events, column)));
  const rows = [...names].map((name) => {
    const own = sessions.filter((session) => first(session.events, column) === name);
    return {
      name,
      sessions: own.length,
      visitors: visitorsOfSessions(own),
      median_session_duration: medianDuration(own),
    };
  });
  return mostFirst(rows, 'sessions', 'name');
}

/** Sessions with a pageview, the latest first. */
export function sessionList(events: Events): Row[] {
  return latestFirst(
    viewedSessionsOf(events).map((session) => ({
      session_id: session.events[0]?.session_id ?? null,
      ...visit(session.events),
      duration: ratio(session.duration, 1000),
      page_views: session.pageviews,
      visitor_id: session.visitor,
      ...traits(session.events),
    })),
    'session_id',
  );
}

/** The rows of every dataset of sessions and visitors that is no series. */
export function sessionDatasets(events: Events): Record<string, Row[]> {
  const viewed = viewedSessionsOf(events);
  const all = sessionsOf(events);
  const byVisitor = groupBy(
    events.filter((event) => Boolean(event.anonymous_id)),
    (event) => event.anonymous_id ?? '',
  );
  const interactive = all.filter((session) =>
    session.events.some((event) => (event.interaction_count ?? 0) > 0),
  );
  return {
    entry_pages: pagesAt(events, 'first'),
    exit_pages: pagesAt(events, 'last'),
    sessions: sessionList(events),
    session_metrics: [
      {
        total_sessions: viewed.length,
        median_session_duration: medianDuration(viewed),
        avg_session_duration: medianDuration(viewed),
        bounce_rate: bounceRate(viewed),
        total_events: events.length,
      },
    ],
    session_duration_distribution: RANGES.map(([duration_range, from, to]) => {
      const own = viewed.filter(({ duration }) => duration >= from * 1000 && duration < to * 1000);
      return { duration_range, sessions: own.length, visitors: visitorsOfSessions(own) };
    }),
    sessions_by_device: sessionsBy(events, 'device_type'),
    sessions_by_browser: sessionsBy(events, 'browser_name'),
    profiles: latestFirst(
      byVisitor.map((own) => ({
        visitor_id: own[0]?.anonymous_id ?? null,
        profile_id: textAt(own, 'first', (event) => event.profile_id),
        ...visit(own),
        session_count: distinct(own, 'session_id'),
        total_events: own.length,
        unique_pages: distinct(own.filter(isPageview), 'path'),
        ...traits(own),
      })),
      'visitor_id',
    ),
    returning_visitors: mostFirst(
      byVisitor
        .filter((own) => distinct(own, 'session_id') >= 2)
        .map((own) => ({
          visitor_id: own[0]?.anonymous_id ?? null,
          session_count: distinct(own, 'session_id'),
          ...visit(own),
          unique_pages: distinct(own.filter(isPageview), 'path'),
        })),
      'session_count',
      'visitor_id',
    ),
    engagement: [
      {
        avg_scroll_depth: mean(events, 'scroll_depth'),
        median_time_on_page: quantile(events, 'time_on_page', 50),
        pages_per_session: ratio(pageviewsOf(events), all.length),
        interactive_sessions: interactive.length,
        interaction_rate: percent(interactive.length, all.length),
      },
    ],
    scroll_depth_summary: [
      {
        avg_scroll_depth: mean(events, 'scroll_depth'),
        total_sessions: distinct(
          events.filter((event) => event.scroll_depth !== null),
          'session_id',
        ),
      },
    ],
    summary_metrics: [
      {
        pageviews: pageviewsOf(events),
        unique_visitors: visitorsOf(events),
        visitors: visitorsOf(events),
        sessions: all.length,
        bounce_rate: bounceRate(all),
        median_session_duration: medianDuration(all),
        avg_session_duration: medianDuration(all),
        total_events: events.length,
        pages_per_session: ratio(pageviewsOf(events), all.length),
      },
    ],
  };
}
