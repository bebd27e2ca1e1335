/** What every dataset answers over 15 and 16 January 2025 of the golden shop log, worked out by hand. */

type Cell = string | number | object | null;
type Rows = readonly Readonly<Record<string, Cell>>[];

/** Rows as a table, under the names of their columns. */
function table(columns: string, ...rows: readonly (readonly Cell[])[]): Rows {
  const names = columns.split(' ');
  return rows.map((row) => {
    if (row.length !== names.length) throw new Error(`${columns}: ${JSON.stringify(row)}`);
    return Object.fromEntries(names.map((name, index) => [name, row[index] ?? null]));
  });
}

const M = 'pageviews visitors percentage';
const Q_A = 'https://google.com/search?q=a';
const Q_B = 'https://google.com/search?q=b';
/** Anna's four pageviews and Ben's one. */
const byVisitor = (anna: string, ben: string): Rows => table(`name ${M}`, [anna, 4, 1, 80], [ben, 1, 1, 20]);
const onlyBen = (ben: string): Rows => table(`name ${M}`, ['Unknown', 4, 1, 80], [ben, 1, 1, 20]);
const anna = ['DE', 'mobile', 'Safari', 'iOS'] as const;
const ben = ['FR', 'desktop', 'Chrome', 'Windows'] as const;
const unknown = ['Unknown', 'Unknown', 'Unknown', 'Unknown'] as const;
const PARTNER = 'https://partner.example/a?b';
/** a1 and a2 lasted 90.5 and 600 s, b1 nothing. */
const sessionsBy = (anna: string, ben: string): Rows =>
  table('name sessions visitors median_session_duration', [anna, 2, 1, 345.25], [ben, 1, 1, 0]);
const SESSION_LIST = 'name sessions visitors pageviews bounce_rate median_session_duration percentage';
/** a1 with three pageviews and b1 with one came by Google, a2 with one did not. */
const byGoogle = [
  ['google.com', 2, 2, 4, 50, 45.25, 66.67],
  ['Direct', 1, 1, 1, 100, 600, 33.33],
] as const;
/** What only b1 says. */
const byEntry = (b1: string): Rows =>
  table(SESSION_LIST, ['Unknown', 2, 1, 4, 50, 345.25, 66.67], [b1, 1, 1, 1, 100, 0, 33.33]);
const clicksBy = (desk: string, phone: string): Rows => table('name clicks', [desk, 2], [phone, 1]);

export const GOLDEN_SHOP_ANSWERS: Readonly<Record<string, Rows>> = {
  today_metrics: table('pageviews visitors sessions', [3, 4, 4]),
  // From 09:55:00.000 to 10:00:00.000: w in w2, and z.
  active_stats: table('active_users active_sessions', [2, 1]),
  top_pages: table(`name ${M}`, ['/', 2, 1, 40], ['/shop', 2, 2, 40], ['/cart', 1, 1, 20]),
  entry_pages: table(`name ${M}`, ['/', 2, 1, 66.67], ['/shop', 1, 1, 33.33]),
  exit_pages: table(`name ${M}`, ['/', 1, 1, 33.33], ['/cart', 1, 1, 33.33], ['/shop', 1, 1, 33.33]),
  page_details: table(
    'path title pageviews visitors bounce_rate exit_rate median_time_on_page avg_scroll_depth first_seen last_seen',
    // a1 and a2 enter, a2 has one pageview and leaves.
    ['/', null, 2, 1, 50, 50, 35.5, 80, '2025-01-15T10:00:00.000Z', '2025-01-16T09:00:00.000Z'],
    // b1 enters and leaves.
    ['/shop', null, 2, 2, 100, 50, 60.51, 33.33, '2025-01-15T10:00:30.000Z', '2025-01-15T11:00:00.000Z'],
    // a1 leaves.
    ['/cart', null, 1, 1, 0, 100, 0, 0, '2025-01-15T10:01:30.500Z', '2025-01-15T10:01:30.500Z'],
  ),
  page_performance: table(
    'name pageviews visitors avg_time_on_page',
    ['/', 2, 1, 35.5], // (30 + 41.004) / 2
    ['/shop', 2, 2, 60.51], // 60.505, half away from zero
    ['/cart', 1, 1, 0],
  ),
  page_time_analysis: table(
    'name sessions_with_time visitors median_time_on_page percentage_of_sessions',
    ['/', 2, 1, 35.5, 100], // a1 and a2 are all that have a time
    ['/shop', 1, 2, 60.51, 50],
  ),
  traffic: table(`source referrer ${M}`, ['direct', 'Direct', 3, 1, 60], ['search', 'google.com', 2, 2, 40]),
  top_referrers: table(`name referrer ${M}`, ['Direct', 'Direct', 3, 1, 60], ['google.com', Q_B, 2, 2, 40]),
  traffic_sources: table(`name ${M}`, ['direct', 3, 1, 60], ['search', 2, 2, 40]),
  utm_sources: table(`name ${M}`, ['Unknown', 5, 2, 100]),
  utm_mediums: onlyBen('cpc'),
  utm_campaigns: onlyBen('winter'),
  utm_terms: onlyBen('shoes'),
  utm_content: onlyBen('top'),
  // a1 and b1 came by Google, b1 with a paid medium; a2 came from nowhere. x1 has no pageview.
  session_channels: table(
    SESSION_LIST,
    ['direct', 1, 1, 1, 100, 600, 33.33],
    ['paid_search', 1, 1, 1, 100, 0, 33.33],
    ['search', 1, 1, 3, 0, 90.5, 33.33],
  ),
  session_sources: table(SESSION_LIST, ...byGoogle),
  session_referrers: table(SESSION_LIST, ...byGoogle),
  session_utm_sources: table(SESSION_LIST, ['Unknown', 3, 2, 5, 66.67, 90.5, 100]),
  session_utm_mediums: byEntry('cpc'),
  session_utm_campaigns: byEntry('winter'),
  session_utm_terms: byEntry('shoes'),
  session_utm_contents: byEntry('top'),
  session_entry_pages: table(
    SESSION_LIST,
    ['/', 2, 1, 4, 50, 345.25, 66.67],
    ['/shop', 1, 1, 1, 100, 0, 33.33],
  ),
  browser_name: byVisitor('Safari', 'Chrome'),
  os_name: byVisitor('iOS', 'Windows'),
  device_types: byVisitor('mobile', 'desktop'),
  screen_resolutions: table(
    `name ${M}`,
    ['390x844', 2, 1, 40],
    ['Unknown', 2, 1, 40],
    ['1920x1080', 1, 1, 20],
  ),
  timezone: byVisitor('Europe/Berlin', 'Europe/Paris'),
  language: byVisitor('de', 'fr-FR'),
  browsers: table(`name version ${M}`, ['Safari', '17.2', 4, 1, 80], ['Chrome', '120.0', 1, 1, 20]),
  os_versions: table(`name version ${M}`, ['iOS', '17', 4, 1, 80], ['Windows', '11', 1, 1, 20]),
  countries: table(
    `name country_code country_name ${M}`,
    ['Germany', 'DE', 'Germany', 4, 1, 80],
    ['France', 'FR', 'France', 1, 1, 20],
  ),
  regions: table(`name country_code ${M}`, ['Berlin', 'DE', 4, 1, 80], ['Île-de-France', 'FR', 1, 1, 20]),
  cities: table(`name country_code ${M}`, ['Berlin', 'DE', 4, 1, 80], ['Paris', 'FR', 1, 1, 20]),
  // x1 has no pageview.
  sessions: table(
    'session_id first_visit last_visit duration page_views visitor_id referrer country device_type browser_name os_name',
    ['a2', '2025-01-16T09:00:00.000Z', '2025-01-16T09:10:00.000Z', 600, 1, 'anna', 'Direct', ...anna],
    ['b1', '2025-01-15T11:00:00.000Z', '2025-01-15T11:00:00.000Z', 0, 1, 'ben', Q_B, ...ben],
    ['a1', '2025-01-15T10:00:00.000Z', '2025-01-15T10:01:30.500Z', 90.5, 3, 'anna', Q_A, ...anna],
  ),
  session_metrics: table(
    'total_sessions median_session_duration avg_session_duration bounce_rate total_events',
    [3, 90.5, 90.5, 66.67, 25], // b1 and a2 have one pageview
  ),
  session_duration_distribution: table(
    'duration_range sessions visitors',
    ['0-30s', 1, 1],
    ['30s-1m', 0, 0],
    ['1m-5m', 1, 1],
    ['5m-15m', 1, 1],
    ['15m-1h', 0, 0],
    ['1h+', 0, 0],
  ),
  sessions_by_device: sessionsBy('mobile', 'desktop'),
  sessions_by_browser: sessionsBy('Safari', 'Chrome'),
  sessions_time_series: table(
    'date sessions visitors median_session_duration',
    ['2025-01-15', 2, 2, 45.25], // of 0 and 90.5
    ['2025-01-16', 1, 1, 600],
  ),
  profiles: table(
    'visitor_id profile_id first_visit last_visit session_count total_events unique_pages referrer country device_type browser_name os_name',
    ['xaver', null, '2025-01-16T12:00:00.000Z', '2025-01-16T12:00:05.000Z', 1, 2, 0, 'Direct', ...unknown],
    ['anna', null, '2025-01-15T10:00:00.000Z', '2025-01-16T09:10:00.000Z', 2, 15, 3, Q_A, ...anna],
    ['ben', 'customer-7', '2025-01-15T11:00:00.000Z', '2025-01-15T11:00:00.000Z', 1, 4, 1, Q_B, ...ben],
  ),
  returning_visitors: table('visitor_id session_count first_visit last_visit unique_pages', [
    'anna',
    2,
    '2025-01-15T10:00:00.000Z',
    '2025-01-16T09:10:00.000Z',
    3,
  ]),
  engagement: table(
    'avg_scroll_depth median_time_on_page pages_per_session interactive_sessions interaction_rate',
    [56.67, 41, 1.25, 1, 25], // (80 + 33.333) / 2; 41.004; 5 of 4; a1 of 4
  ),
  scroll_depth_summary: table('avg_scroll_depth total_sessions', [56.67, 1]),
  custom_events_trends: table(
    'date total_events unique_event_types unique_users unique_sessions unique_pages',
    ['2025-01-15', 0, 0, 0, 0, 0],
    ['2025-01-16', 2, 1, 1, 1, 1],
  ),
  custom_events_by_path: table('name total_events unique_event_types unique_users', ['/join', 2, 1, 1]),
  custom_event_properties: table(
    'name property_key property_value count',
    ['signup', 'plan', 'pro', 2],
    ['signup', 'seats', '3', 1],
    ['signup', 'tags', '["a"]', 1],
  ),
  custom_events_recent: table(
    'event_name namespace path source properties anonymous_id session_id timestamp',
    ['signup', 'growth', '/join', 'web', { plan: 'pro' }, 'xaver', 'x1', '2025-01-16T12:00:05.000Z'],
    [
      'signup',
      null,
      '/join',
      null,
      { plan: 'pro', seats: 3, tags: ['a'], none: null },
      'xaver',
      'x1',
      '2025-01-16T12:00:00.000Z',
    ],
  ),
  errors: table(
    'message error_type path filename lineno colno stack timestamp anonymous_id session_id country browser_name os_name',
    [
      'timeout',
      null,
      'Unknown',
      null,
      null,
      null,
      null,
      '2025-01-16T12:00:01.000Z',
      null,
      null,
      ...unknown.slice(1),
    ],
    [
      ...['x is not a function', null, '/shop', null, null, null, null],
      ...['2025-01-15T11:00:00.000Z', 'ben', 'b1', 'Unknown', 'Unknown', 'Unknown'],
    ],
    [
      ...['x is not a function', 'TypeError', '/', 'app.js', 10, 5, 'TypeError: x\n at app.js:10:5'],
      ...['2025-01-15T10:00:10.000Z', 'anna', 'a1', 'DE', 'Safari', 'iOS'],
    ],
  ),
  error_types: table(
    'name count users first_seen last_seen',
    ['x is not a function', 2, 2, '2025-01-15T10:00:10.000Z', '2025-01-15T11:00:00.000Z'],
    ['timeout', 1, 0, '2025-01-16T12:00:01.000Z', '2025-01-16T12:00:01.000Z'],
  ),
  errors_by_page: table('name errors users', ['/', 1, 1], ['/shop', 1, 1], ['Unknown', 1, 0]),
  error_summary: table('total_errors unique_errors affected_users affected_sessions', [3, 2, 2, 2]),
  // The last one has neither visitor nor session.
  errors_over_time: table('date errors users sessions', ['2025-01-15', 2, 2, 2], ['2025-01-16', 1, 0, 0]),
  performance: table(
    'name visitors pageviews avg_load_time p50_load_time p95_load_time p99_load_time avg_ttfb',
    ['/shop', 2, 2, 1250, 1250, 1925, 1985, 301], // of 500 and 2000
    ['/', 1, 2, 1000.4, 1000.4, 1000.4, 1000.4, 100],
    ['/cart', 1, 1, 3000, 3000, 3000, 3000, 0],
  ),
  web_vitals: table(
    'metric_name samples p50 p75 p90 p99 good fair poor',
    ['LCP', 4, 2500, 3250, 3700, 3970, 50, 50, 0], // of 1000, 2000, 3000, 4000: 1.5, 2.25, 2.7 and 2.97 places on
    ['CLS', 1, 0.123, 0.123, 0.123, 0.123, 0, 100, 0],
  ),
  web_vitals_by_page: table(
    'name metric_name samples p75',
    ['/', 'LCP', 3, 3500], // of 1000, 3000, 4000
    ['/', 'CLS', 1, 0.123],
    ['/shop', 'LCP', 1, 2000],
  ),
  // LCP is good up to 2500 and poor above 4000, CLS above 0.1 and 0.25.
  vitals_over_time: table(
    'date metric_name samples p75 good fair poor',
    ['2025-01-15', 'CLS', 1, 0.123, 0, 100, 0],
    ['2025-01-16', 'CLS', 0, 0, 0, 0, 0],
    ['2025-01-15', 'LCP', 4, 3250, 50, 50, 0],
    ['2025-01-16', 'LCP', 0, 0, 0, 0, 0],
  ),
  // x1 has no pageview; b1 and a2 have one.
  website_totals: table(
    'website_id name domain pageviews visitors sessions bounce_rate median_session_duration total_events',
    ['web_a', 'shop.example', 'shop.example', 5, 3, 4, 50, 47.75, 25], // of 0, 5, 90.5, 600
  ),
  website_lines: table(
    'website_id date pageviews visitors sessions',
    ['web_a', '2025-01-15', 4, 2, 2],
    ['web_a', '2025-01-16', 1, 2, 2],
  ),
  outbound_links: table(
    'href text total_clicks unique_users unique_sessions percentage last_clicked',
    [PARTNER, 'Partner', 2, 1, 1, 50, '2025-01-15T10:00:21.000Z'],
    ['http://user@partner.example:8080/c', 'Unknown', 1, 1, 1, 25, '2025-01-15T11:00:00.000Z'],
    ['mailto:info@partner.example', 'Mail', 1, 1, 1, 25, '2025-01-15T11:00:00.000Z'],
  ),
  outbound_domains: table(
    'domain total_clicks unique_users unique_links percentage',
    ['partner.example', 3, 2, 2, 75],
    ['Unknown', 1, 1, 1, 25],
  ),
  // None of these clicks has a visitor; the second link is not of this website.
  link_totals: table('link_id clicks unique_visitors last_click', [
    'lnk_1',
    3,
    0,
    '2025-01-16T08:00:01.000Z',
  ]),
  link_total_clicks: table('total', [3]),
  link_clicks_by_day: table('date clicks', ['2025-01-15', 1], ['2025-01-16', 2]),
  link_top_referrers: table(
    'name referrer clicks',
    ['Direct', 'Direct', 2],
    ['google.com', 'https://google.com/', 1],
  ),
  link_top_countries: table('name country clicks', ['France', 'FR', 2], ['Germany', 'DE', 1]),
  link_top_cities: table('name country clicks', ['Paris', 'FR', 2], ['Berlin', 'DE', 1]),
  link_top_devices: clicksBy('desktop', 'mobile'),
  link_top_browsers: clicksBy('Chrome', 'Safari'),
};
