/** Datasets of pages, evaluated by walking over events. */
import type { EventRecord } from '../../../../services/shared/model/event-record.ts';
import { list, named } from './list.ts';
import {
  distinct,
  type Events,
  firstInstant,
  iso,
  isPageview,
  lastInstant,
  mean,
  pageviewsOf,
  percent,
  quantile,
  type Row,
  textAt,
  visitorsOf,
} from './measures.ts';
import { type Session, viewedSessionsOf } from './sessions.ts';

const pathOf = (event: EventRecord) => event.path || 'Unknown';

function pageDetails(events: Events): Row[] {
  const pageEvents = events.filter(
    ({ event_name }) => event_name === 'screen_view' || event_name === 'page_exit',
  );
  const sessions = viewedSessionsOf(pageEvents);
  const pageOf = (session: Session, at: 'first' | 'last') =>
    textAt(session.events.filter(isPageview), at, ({ path }) => path) ?? 'Unknown';
  const rows = list(
    pageEvents,
    { path: pathOf },
    (own) => {
      const path = own[0] ? pathOf(own[0]) : '';
      const views = own.filter(isPageview);
      const entered = sessions.filter((session) => pageOf(session, 'first') === path);
      const left = sessions.filter((session) => pageOf(session, 'last') === path);
      return {
        title: textAt(own, 'last', ({ title }) => title),
        pageviews: views.length,
        visitors: visitorsOf(views),
        bounce_rate: percent(entered.filter(({ pageviews }) => pageviews === 1).length, entered.length),
        exit_rate: percent(left.length, views.length),
        median_time_on_page: quantile(own, 'time_on_page', 50),
        avg_scroll_depth: mean(own, 'scroll_depth'),
        first_seen: views.length === 0 ? null : iso(firstInstant(views)),
        last_seen: views.length === 0 ? null : iso(lastInstant(views)),
      };
    },
    'pageviews',
  );
  return rows.filter(({ pageviews }) => Number(pageviews) > 0);
}

/** The lists of pages. */
export function pageDatasets(events: Events): Record<string, Row[]> {
  const pageviews = events.filter(isPageview);
  const pageEvents = events.filter(
    ({ event_name }) => event_name === 'screen_view' || event_name === 'page_exit',
  );
  const timed = pageEvents.filter((event) => event.time_on_page !== null);
  const perPage = (own: Events) => ({ pageviews: own.length, visitors: visitorsOf(own) });
  return {
    pages: list(pageviews, { path: named('path') }, perPage, 'pageviews'),
    page_performance: list(
      pageEvents,
      { name: named('path') },
      (own) => ({
        pageviews: pageviewsOf(own),
        visitors: visitorsOf(own.filter(isPageview)),
        avg_time_on_page: mean(own, 'time_on_page'),
      }),
      'pageviews',
    ).filter((row) => Number(row.pageviews) > 0),
    page_time_analysis: list(
      pageEvents,
      { name: named('path') },
      (own) => {
        const sessions = distinct(
          own.filter((event) => event.time_on_page !== null),
          'session_id',
        );
        return {
          sessions_with_time: sessions,
          visitors: visitorsOf(own.filter(isPageview)),
          median_time_on_page: quantile(own, 'time_on_page', 50),
          percentage_of_sessions: percent(sessions, distinct(timed, 'session_id')),
        };
      },
      'sessions_with_time',
    ).filter((row) => Number(row.sessions_with_time) > 0),
    page_details: pageDetails(events),
    performance: list(
      pageviews,
      { name: named('path') },
      (own) => ({
        visitors: visitorsOf(own),
        pageviews: own.length,
        avg_load_time: mean(own, 'load_time'),
        p50_load_time: quantile(own, 'load_time', 50),
        p95_load_time: quantile(own, 'load_time', 95),
        p99_load_time: quantile(own, 'load_time', 99),
        avg_ttfb: mean(own, 'ttfb'),
      }),
      'visitors',
    ),
  };
}
