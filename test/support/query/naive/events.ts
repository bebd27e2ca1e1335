/** Datasets of pageviews, errors, vitals and links, evaluated by walking over events. */
import type { EventRecord, TextColumn } from '../../../../services/shared/model/event-record.ts';
import { list, type Names, named } from './list.ts';
import {
  countryName,
  distinct,
  type Events,
  firstInstant,
  iso,
  isPageview,
  lastInstant,
  percent,
  quantile,
  type Row,
  referrerHostOf,
  referrerOf,
  textAt,
  visitorsOf,
} from './measures.ts';
import { pageDatasets } from './pages.ts';
import { ratingShares, vitalNameOf } from './vitals.ts';

function byPageviews(events: Events, names: Names, further: (own: Events) => Row = () => ({})): Row[] {
  const pageviews = events.filter(isPageview);
  const measures = (own: Events) => ({
    ...further(own),
    pageviews: own.length,
    visitors: visitorsOf(own),
    percentage: percent(own.length, pageviews.length),
  });
  return list(pageviews, names, measures, 'pageviews');
}

const lastReferrer = (own: Events) => ({ referrer: textAt(own, 'last', referrerOf) ?? 'Direct' });
const lastOf = (own: Events) => iso(lastInstant(own));
const country = (event: EventRecord) => countryName(named('country')(event));

/** Scheme, what may stand before an @, then the host up to a port, path, query or fragment. */
function hostOf(href: string | null): string {
  const [, rest] = /^[a-z][a-z0-9+.-]*:\/\/(.*)$/is.exec(href ?? '') ?? [];
  const authority = (rest ?? '').split(/[/?#]/)[0] ?? '';
  return (
    (authority.includes('@') ? authority.slice(authority.indexOf('@') + 1) : authority).split(':')[0] ||
    'Unknown'
  );
}

function pageviewDatasets(events: Events): Record<string, Row[]> {
  const by = (names: Names) => byPageviews(events, names);
  return {
    top_pages: by({ name: named('path') }),
    traffic: by({ source: (event) => event.referrer_group || 'direct', referrer: referrerHostOf }),
    top_referrers: byPageviews(events, { name: referrerHostOf }, lastReferrer),
    traffic_sources: by({ name: (event) => event.referrer_group || 'direct' }),
    utm_sources: by({ name: named('utm_source') }),
    utm_mediums: by({ name: named('utm_medium') }),
    utm_campaigns: by({ name: named('utm_campaign') }),
    utm_terms: by({ name: named('utm_term') }),
    utm_content: by({ name: named('utm_content') }),
    browser_name: by({ name: named('browser_name') }),
    os_name: by({ name: named('os_name') }),
    device_types: by({ name: named('device_type') }),
    screen_resolutions: by({ name: named('screen_resolution') }),
    timezone: by({ name: named('timezone') }),
    language: by({ name: named('language') }),
    browsers: by({ name: named('browser_name'), version: named('browser_version') }),
    os_versions: by({ name: named('os_name'), version: named('os_version') }),
    countries: by({ name: country, country_code: named('country') }).map(
      ({ name = null, country_code = null, ...row }) => ({ name, country_code, country_name: name, ...row }),
    ),
    regions: by({ name: named('region'), country_code: named('country') }),
    cities: by({ name: named('city'), country_code: named('country') }),
  };
}

/** Latest first; events alike in every column are alike in every order. */
function latestFirst(
  events: Events,
  columns: readonly (TextColumn | 'lineno' | 'colno')[],
  rowOf: (event: EventRecord) => Row,
): Row[] {
  // By what is shown; an object as the text that it was sent as.
  const keyOf = (event: EventRecord) => {
    const row = rowOf(event);
    return columns.map((column) => (column === 'properties' ? event.properties : row[column]));
  };
  const sorted = [...events].sort((a, b) => {
    if (a.timestamp !== b.timestamp) return b.timestamp - a.timestamp;
    const [left, right] = [keyOf(a), keyOf(b)];
    for (const [index, one] of left.entries()) {
      const other = right[index];
      if (one === other) continue;
      if (typeof one === 'number' && typeof other === 'number') return one - other;
      const order = Buffer.compare(Buffer.from(String(one ?? '')), Buffer.from(String(other ?? '')));
      if (order !== 0) return order;
    }
    return 0;
  });
  return sorted.map((event) => ({ ...rowOf(event), timestamp: iso(event.timestamp) }));
}

const ERROR_TEXTS = [
  'message',
  'error_type',
  'path',
  'filename',
  'stack',
  'anonymous_id',
  'session_id',
] as const;

function errorDatasets(events: Events): Record<string, Row[]> {
  const errors = events.filter(({ event_name }) => event_name === 'error');
  return {
    errors: latestFirst(
      errors,
      [...ERROR_TEXTS, 'browser_name', 'os_name', 'country', 'lineno', 'colno'],
      (event) => ({
        ...Object.fromEntries(ERROR_TEXTS.map((column) => [column, event[column] || null])),
        path: named('path')(event),
        lineno: event.lineno,
        colno: event.colno,
        browser_name: named('browser_name')(event),
        os_name: named('os_name')(event),
        country: named('country')(event),
      }),
    ),
    error_types: list(
      errors,
      { name: named('message') },
      (own) => ({
        count: own.length,
        users: visitorsOf(own),
        first_seen: iso(firstInstant(own)),
        last_seen: lastOf(own),
      }),
      'count',
    ),
    errors_by_page: list(
      errors,
      { name: named('path') },
      (own) => ({ errors: own.length, users: visitorsOf(own) }),
      'errors',
    ),
    error_summary: [
      {
        total_errors: errors.length,
        unique_errors: distinct(errors, 'message'),
        affected_users: visitorsOf(errors),
        affected_sessions: distinct(errors, 'session_id'),
      },
    ],
  };
}

function vitalDatasets(events: Events): Record<string, Row[]> {
  const vitals = events.filter(({ event_name }) => event_name === 'web_vitals');
  const samples = (own: Events) => own.filter((event) => event.metric_value !== null).length;
  const p = (own: Events, hundredths: number) => quantile(own, 'metric_value', hundredths, 3);
  return {
    web_vitals: list(
      vitals,
      { metric_name: named('metric_name') },
      (own) => ({
        samples: samples(own),
        p50: p(own, 50),
        p75: p(own, 75),
        p90: p(own, 90),
        p99: p(own, 99),
        ...ratingShares(own[0] ? vitalNameOf(own[0]) : '', own),
      }),
      'samples',
    ),
    web_vitals_by_page: list(
      vitals,
      { name: named('path'), metric_name: named('metric_name') },
      (own) => ({ samples: samples(own), p75: p(own, 75) }),
      'samples',
    ),
  };
}

function linkDatasets(events: Events): Record<string, Row[]> {
  const outgoing = events.filter(({ event_name }) => event_name === 'outgoing_link');
  const clicks = events.filter(({ event_name }) => event_name === 'link_click');
  const clicksBy = (names: Names, further: (own: Events) => Row = () => ({})) =>
    list(clicks, names, (own) => ({ ...further(own), clicks: own.length }), 'clicks');
  return {
    outbound_links: list(
      outgoing,
      { href: named('href'), text: named('text') },
      (own) => ({
        total_clicks: own.length,
        unique_users: visitorsOf(own),
        unique_sessions: distinct(own, 'session_id'),
        percentage: percent(own.length, outgoing.length),
        last_clicked: lastOf(own),
      }),
      'total_clicks',
    ),
    outbound_domains: list(
      outgoing,
      { domain: (event) => hostOf(event.href) },
      (own) => ({
        total_clicks: own.length,
        unique_users: visitorsOf(own),
        unique_links: distinct(own, 'href'),
        percentage: percent(own.length, outgoing.length),
      }),
      'total_clicks',
    ),
    link_totals: list(
      clicks.filter(({ link_id }) => Boolean(link_id)),
      { link_id: ({ link_id }) => link_id ?? '' },
      (own) => ({ clicks: own.length, unique_visitors: visitorsOf(own), last_click: lastOf(own) }),
      'clicks',
    ),
    link_total_clicks: [{ total: clicks.length }],
    link_top_referrers: clicksBy({ name: referrerHostOf }, lastReferrer),
    link_top_countries: clicksBy({ name: country, country: named('country') }),
    link_top_cities: clicksBy({ name: named('city'), country: named('country') }),
    link_top_devices: clicksBy({ name: named('device_type') }),
    link_top_browsers: clicksBy({ name: named('browser_name') }),
  };
}

/** The rows of every dataset of events but custom ones, and no series. */
export function eventDatasets(events: Events): Record<string, Row[]> {
  return {
    ...pageDatasets(events),
    ...pageviewDatasets(events),
    ...errorDatasets(events),
    ...vitalDatasets(events),
    ...linkDatasets(events),
  };
}

export { latestFirst };
