/**
 * Answers datasets by walking over events, in the plainest way that the definitions allow; written from those, not from
 * the service, with which it shares nothing but the record of an event.
 */
import { attributionDatasets } from './attribution.ts';
import { createWallClock, type NaiveBucket, type NaiveRange, naiveBuckets } from './calendar.ts';
import { detailDatasets, presentDatasets } from './detail.ts';
import { eventDatasets, latestFirst } from './events.ts';
import { type NaiveGoal, naiveGoals } from './goals.ts';
import { list } from './list.ts';
import {
  distinct,
  type Events,
  firstInstant,
  iso,
  isPageview,
  lastInstant,
  pageviewsOf,
  percent,
  type Row,
  ratio,
  visitorsOf,
} from './measures.ts';
import {
  type FunnelQuestion,
  funnelRows,
  funnelSeries,
  type JourneyQuestion,
  journeyRows,
  type RetentionQuestion,
  retentionRows,
} from './paths.ts';
import { type RevenueQuestion, revenueRows, revenueSeries } from './revenue.ts';
import { bounceRate, medianDuration, sessionDatasets, sessionsOf, viewedSessionsOf } from './sessions.ts';
import { vitalNameOf, vitalNamesOf, vitalRatings } from './vitals.ts';
import { websiteTotals } from './websites.ts';

/** The granularities that a range may have: minutes for a single day. */
export function granularitiesOf({ startDate, endDate }: NaiveRange): readonly string[] {
  const wider = ['hourly', 'daily', 'weekly', 'monthly'];
  return startDate === endDate ? ['minute', ...wider] : wider;
}

export const SERIES = [
  'summary',
  'sessions_time_series',
  'custom_events_trends',
  'link_clicks_by_day',
  'funnel_over_time',
  'revenue_over_time',
  'errors_over_time',
  'vitals_over_time',
  'website_lines',
] as const;

const RESERVED = ['screen_view', 'page_exit', 'outgoing_link', 'error', 'web_vitals', 'link_click'];
const FIVE_MINUTES_MS = 300_000;

/** Keeps those of the events of a range that pass the filters. */
export type Keep = (inRange: Events) => Events;

export interface NaiveQuestion {
  readonly now: number;
  /** Arguments by the name of their dataset. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Absent: there are no filters. */
  readonly keep?: Keep | undefined;
  /** The buckets of a granularity; absent: those of the range. */
  readonly bucketsOf?: (granularity: string) => NaiveBucket[];
  /** The identifiers of the goals that the website has, by their place. */
  readonly goalIdOf?: (place: number) => string;
  /** The goals that lists of sessions are also asked for, by the name of the list. */
  readonly goals?: Readonly<Record<string, NaiveGoal>>;
}

/**
 * The rows of every dataset over `events`, which are already those of the website; series by name and granularity, such
 * as `summary:daily`.
 */
export function evaluateNaively(
  websiteId: string,
  events: Events,
  range: NaiveRange,
  question: NaiveQuestion,
): Record<string, Row[]> {
  const { now, given, keep: filter } = question;
  const keep = filter ?? ((inRange: Events) => inRange);
  const { bucketsOf = (granularity) => naiveBuckets(range, granularity) } = question;
  const clock = createWallClock(range.zone);
  const human = events.filter((event) => !event.is_bot);
  const inRange = human.filter((event) => {
    const { date } = clock(event.timestamp);
    return date >= range.startDate && date <= range.endDate;
  });
  const found = keep(inRange);
  const today = keep(human.filter((event) => clock(event.timestamp).date === clock(now).date));
  const active = keep(
    human.filter(({ timestamp }) => timestamp >= now - FIVE_MINUTES_MS && timestamp <= now),
  );
  const live = keep(
    human.filter(({ timestamp }) => timestamp >= now - 6 * FIVE_MINUTES_MS && timestamp <= now),
  );
  const isShown = filter === undefined || found.length > 0;
  return {
    ...presentDatasets(active, live),
    ...allSeries(found, { granularities: granularitiesOf(range), bucketsOf }, isShown ? [websiteId] : []),
    ...pathDatasets(found, range, given, bucketsOf),
    website_totals: isShown ? [websiteTotals(websiteId, found)] : [],
    ...sessionDatasets(found),
    ...attributionDatasets(found, question.goals),
    ...eventDatasets(found),
    ...customDatasets(customOf(found)),
    today_metrics: [
      { pageviews: pageviewsOf(today), visitors: visitorsOf(today), sessions: sessionsOf(today).length },
    ],
    ...detailDatasets({ inRange, keep, given }),
    goals: question.goalIdOf ? naiveGoals(found, question.goalIdOf) : [],
    active_stats: [{ active_users: visitorsOf(active), active_sessions: distinct(active, 'session_id') }],
  };
}

/** Datasets of paths and of revenue, with the arguments that they are given. */
function pathDatasets(
  events: Events,
  range: NaiveRange,
  given: NaiveQuestion['given'],
  bucketsOf: (granularity: string) => NaiveBucket[],
): Record<string, Row[]> {
  const series = granularitiesOf(range).flatMap((granularity) => [
    [
      `funnel_over_time:${granularity}`,
      funnelSeries(events, given.funnel_over_time as FunnelQuestion, bucketsOf(granularity)),
    ],
    [
      `revenue_over_time:${granularity}`,
      revenueSeries(events, given.revenue_over_time as RevenueQuestion, bucketsOf(granularity)),
    ],
  ]);
  return {
    ...Object.fromEntries(series),
    funnel: funnelRows(events, given.funnel as FunnelQuestion),
    retention: retentionRows(events, given.retention as RetentionQuestion, range),
    journey: journeyRows(events, given.journey as JourneyQuestion),
    revenue: revenueRows(events, given.revenue as RevenueQuestion),
  };
}

function customOf(events: Events): Events {
  return events.filter((event) => !RESERVED.includes(event.event_name));
}

interface NaiveSeries {
  readonly granularities: readonly string[];
  readonly bucketsOf: (granularity: string) => NaiveBucket[];
}

function allSeries(
  events: Events,
  { granularities, bucketsOf }: NaiveSeries,
  websites: readonly string[],
): Record<string, Row[]> {
  const rows: Record<string, Row[]> = {};
  for (const granularity of granularities) {
    const buckets = bucketsOf(granularity);
    const series = (measures: (own: Events, bucket: NaiveBucket) => Row) =>
      buckets.map((bucket) => {
        const { label, start, holds } = bucket;
        const own = events.filter((event) => holds(event.timestamp));
        const timestamp: Row = start === undefined ? {} : { timestamp: iso(start) };
        return { date: label, ...timestamp, ...measures(own, bucket) };
      });
    const all = sessionsOf(events);
    const viewed = viewedSessionsOf(events);
    rows[`summary:${granularity}`] = series((own, { holds }) => {
      const sessions = all.filter((session) => holds(session.first));
      return {
        pageviews: pageviewsOf(own),
        visitors: visitorsOf(own),
        sessions: sessions.length,
        bounce_rate: bounceRate(sessions),
        median_session_duration: medianDuration(sessions),
        pages_per_session: ratio(pageviewsOf(own), sessions.length),
      };
    });
    rows[`sessions_time_series:${granularity}`] = series((own, { holds }) => {
      const sessions = viewed.filter((session) => holds(session.first));
      return {
        sessions: sessions.length,
        visitors: visitorsOf(own.filter(isPageview)),
        median_session_duration: medianDuration(sessions),
      };
    });
    rows[`custom_events_trends:${granularity}`] = series((own) => customTotals(customOf(own)));
    rows[`errors_over_time:${granularity}`] = series((own) => {
      const errors = own.filter(({ event_name }) => event_name === 'error');
      return {
        errors: errors.length,
        users: visitorsOf(errors),
        sessions: distinct(errors, 'session_id'),
      };
    });
    rows[`website_lines:${granularity}`] = websites.flatMap((website_id) =>
      series((own, { holds }) => ({
        pageviews: pageviewsOf(own),
        visitors: visitorsOf(own),
        sessions: all.filter((session) => holds(session.first)).length,
      })).map((row) => ({ website_id, ...row })),
    );
    const vitals = events.filter(({ event_name }) => event_name === 'web_vitals');
    rows[`vitals_over_time:${granularity}`] = vitalNamesOf(vitals).flatMap((metric_name) =>
      series((own) =>
        vitalRatings(
          metric_name,
          own.filter((event) => vitals.includes(event) && vitalNameOf(event) === metric_name),
        ),
      ),
    );
    rows[`link_clicks_by_day:${granularity}`] = series((own) => ({
      clicks: own.filter(({ event_name }) => event_name === 'link_click').length,
    }));
  }
  return rows;
}

function customTotals(events: Events): Row {
  return {
    total_events: events.length,
    unique_event_types: distinct(events, 'event_name'),
    unique_users: visitorsOf(events),
    unique_sessions: distinct(events, 'session_id'),
    unique_pages: distinct(events, 'path'),
  };
}

function customDatasets(events: Events): Record<string, Row[]> {
  const pairs = events.flatMap((event) =>
    Object.entries(JSON.parse(event.properties ?? '{}') as Record<string, unknown>)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => ({
        ...event,
        // Columns that such events have no use for carry the pair.
        href: key,
        text: (typeof value === 'string' ? value : JSON.stringify(value)) || 'Unknown',
      })),
  );
  return {
    custom_events: list(
      events,
      { name: (event) => event.event_name },
      (own) => ({
        total_events: own.length,
        unique_users: visitorsOf(own),
        unique_sessions: distinct(own, 'session_id'),
        first_occurrence: iso(firstInstant(own)),
        last_occurrence: iso(lastInstant(own)),
        events_with_properties: own.filter(({ properties }) => properties !== null && properties !== '{}')
          .length,
        percentage: percent(own.length, events.length),
      }),
      'total_events',
    ),
    custom_events_summary: [customTotals(events)],
    custom_events_by_path: list(
      events,
      { name: (event) => event.path || 'Unknown' },
      (own) => ({
        total_events: own.length,
        unique_event_types: distinct(own, 'event_name'),
        unique_users: visitorsOf(own),
      }),
      'total_events',
    ),
    custom_event_properties: list(
      pairs,
      {
        name: (event) => event.event_name,
        property_key: (event) => event.href || 'Unknown',
        property_value: (event) => event.text ?? '',
      },
      (own) => ({ count: own.length }),
      'count',
    ),
    custom_events_recent: latestFirst(
      events,
      ['event_name', 'namespace', 'path', 'source', 'properties', 'anonymous_id', 'session_id'],
      (event) => ({
        event_name: event.event_name,
        namespace: event.namespace || null,
        path: event.path || 'Unknown',
        source: event.source || null,
        properties: event.properties === null ? null : JSON.parse(event.properties),
        anonymous_id: event.anonymous_id || null,
        session_id: event.session_id || null,
      }),
    ),
  };
}
