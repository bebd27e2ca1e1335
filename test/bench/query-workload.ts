/** What the query bench asks, and of which events: websites in fixed proportions, and the SQL that generates their events. */

/** The websites that are asked, with their share of all events. */
export const WEBSITES = [
  { name: 'large', websiteId: 'web_large', share: 0.06 },
  { name: 'middle', websiteId: 'web_middle', share: 0.006 },
  { name: 'small', websiteId: 'web_small', share: 0.0012 },
] as const;
export type Website = (typeof WEBSITES)[number];
export type WebsiteName = Website['name'];

/** The organization whose websites are asked; all others belong to one each. */
export const ORGANIZATION = 'org_bench';
/** The website that receives events while the others are asked. */
export const INGEST_WEBSITE = 'web_ingest';
export const WINDOW_DAYS = 30;
export const DAY_MS = 86_400_000;

/** The five datasets of a batch: what a dashboard shows first. */
export const BATCH = ['summary', 'top_pages', 'traffic_sources', 'countries', 'browsers'] as const;
export type BatchDataset = (typeof BATCH)[number];

/** Instants in epoch milliseconds; whole days in UTC. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** The thirty days before the day of `now`. */
export function windowBefore(now: number): Window {
  const to = Math.floor(now / DAY_MS) * DAY_MS;
  return { from: to - WINDOW_DAYS * DAY_MS, to };
}

export interface GeneratedWebsite {
  readonly websiteId: string;
  readonly organizationId: string;
  readonly events: number;
}

const OTHER_WEBSITES = 150;

/** Every website with its number of events, by id; together exactly `events`. */
export function websitesOf(events: number): GeneratedWebsite[] {
  const asked = WEBSITES.map(({ websiteId, share }) => ({
    websiteId,
    organizationId: ORGANIZATION,
    events: Math.round(events * share),
  }));
  const rest = events - asked.reduce((sum, website) => sum + website.events, 0);
  const others = Array.from({ length: OTHER_WEBSITES }, (_, i) => ({
    websiteId: `web_other_${String(i).padStart(3, '0')}`,
    organizationId: `org_other_${String(i).padStart(3, '0')}`,
    events: Math.floor(((i + 1) * rest) / OTHER_WEBSITES) - Math.floor((i * rest) / OTHER_WEBSITES),
  }));
  return [...asked, ...others].sort((a, b) => (a.websiteId < b.websiteId ? -1 : 1));
}

const EVENTS_PER_SESSION = 5;

const list = (...texts: string[]) => `[${texts.map((text) => `'${text}'`).join(', ')}]`;
/** A number in [0, 1) that depends on nothing but `of` and the website. */
const random = (salt: string, of: 's' | 'i') => `(hash($website, ${of}, '${salt}') % 1000003 / 1000003.0)`;
/** One of a list, the first ones most often. */
const skewed = (from: string, salt: string, power = 2) =>
  `${from}[1 + CAST(floor(power(${random(salt, 's')}, ${power}) * len(${from})) AS INTEGER)]`;
const within = (condition: string, value: string) => `CASE WHEN ${condition} THEN ${value} END`;

const COUNTRIES = list(
  'US',
  'DE',
  'GB',
  'FR',
  'IN',
  'BR',
  'JP',
  'CA',
  'NL',
  'PL',
  'ES',
  'IT',
  'SE',
  'AU',
  'MX',
  'CH',
  'AT',
  'KR',
);
const REFERRERS = list(
  'www.google.com',
  'www.bing.com',
  'duckduckgo.com',
  't.co',
  'www.linkedin.com',
  'news.example.org',
  'blog.example.net',
);
const GROUPS = list('search', 'search', 'search', 'social', 'social', 'referral', 'referral');
const BROWSERS = list('Chrome', 'Safari', 'Firefox', 'Edge', 'Samsung Internet');
const SYSTEMS = list('Windows', 'iOS', 'Android', 'macOS', 'Linux');
const DEVICES = list('desktop', 'mobile', 'tablet');
const IS_VIEW = `event_name = 'screen_view'`;
const IS_EXIT = `event_name = 'page_exit'`;

/** The columns that generated events fill, each with its SQL; all others are null. */
const FILLED: Readonly<Record<string, string>> = {
  organization_id: '$organization',
  timestamp: 'make_timestamp(us)',
  is_bot: 'false',
  event_name: 'event_name',
  website_id: '$website',
  anonymous_id: `printf('anon_%016x', hash($website, floor(${random('visitor', 's')} * sessions * 0.6)))`,
  session_id: `printf('sess_%016x', hash($website, s, CASE WHEN bounces THEN k ELSE 0 END))`,
  path: `'/articles/' || page`,
  hostname: `'www.example.com'`,
  referrer: within('arrives', `'https://' || ${skewed(REFERRERS, 'referrer')} || '/'`),
  referrer_host: within('arrives', skewed(REFERRERS, 'referrer')),
  referrer_group: within('arrives', skewed(GROUPS, 'referrer')),
  title: `'Article ' || page || ' in the Bench Magazine'`,
  utm_source: within(`k = 0 AND ${random('utm', 's')} < 0.1`, `'newsletter'`),
  properties: within(`event_name = 'button_clicked'`, `'{"plan":"pro","amount":' || (i % 90) || '}'`),
  screen_resolution: `'1920x1080'`,
  viewport_size: `'1280x720'`,
  timezone: `'Europe/Berlin'`,
  language: `'en-US'`,
  metric_name: within(`event_name = 'web_vitals'`, `'LCP'`),
  href: within(`event_name = 'outgoing_link'`, `'https://shop.example.net/item/' || (i % 200)`),
  text: within(`event_name = 'outgoing_link'`, `'Read more'`),
  country: skewed(COUNTRIES, 'country'),
  region: `${skewed(COUNTRIES, 'country')} || '-' || CAST(floor(${random('region', 's')} * 9) AS INTEGER)`,
  city: `'City ' || CAST(floor(power(${random('city', 's')}, 2) * 200) AS INTEGER)`,
  browser_name: skewed(BROWSERS, 'browser'),
  browser_version: `CAST(118 + floor(${random('version', 's')} * 8) AS INTEGER) || '.0'`,
  os_name: skewed(SYSTEMS, 'system'),
  os_version: `CAST(10 + floor(${random('system version', 's')} * 5) AS INTEGER)::VARCHAR`,
  device_type: skewed(DEVICES, 'device'),
  time_on_page: within(IS_EXIT, `floor(${random('time', 'i')} * 2000) / 10`),
  scroll_depth: within(IS_EXIT, `floor(${random('scroll', 'i')} * 100)`),
  interaction_count: within(IS_EXIT, `CAST(floor(${random('interactions', 'i')} * 6) AS BIGINT)`),
  load_time: within(IS_VIEW, `floor(${random('load', 'i')} * 3000)`),
  ttfb: within(IS_VIEW, `floor(${random('ttfb', 'i')} * 600)`),
  metric_value: within(`event_name = 'web_vitals'`, `floor(${random('metric', 'i')} * 4000)`),
};

export const FILLED_COLUMNS: readonly string[] = Object.keys(FILLED);

/**
 * DuckDB's SELECT of one website's events, in the order of {@link FILLED_COLUMNS}; parameters: website, organization,
 * events, from (epoch milliseconds). The same values give the same events. Sessions are spread evenly over the window
 * and have five events within minutes, or, three in ten, one.
 */
export const GENERATE_SQL = `SELECT ${Object.entries(FILLED)
  .map(([name, sql]) => `${sql} AS "${name}"`)
  .join(',\n  ')}
FROM (
  SELECT *, k = 0 AND ${random('direct', 's')} > 0.4 AS arrives,
    CASE WHEN k = 0 OR bounces OR draw < 0.55 THEN 'screen_view' WHEN draw < 0.75 THEN 'page_exit'
      WHEN draw < 0.85 THEN 'button_clicked' WHEN draw < 0.92 THEN 'web_vitals' ELSE 'outgoing_link' END AS event_name,
    CAST(floor(power(${random('page', 'i')}, 4) * 400) AS INTEGER)::VARCHAR AS page,
    CAST($from AS BIGINT) * 1000
      + CAST((s + ${random('start', 's')}) / (sessions + 1) * ${WINDOW_DAYS * DAY_MS - 3_600_000} AS BIGINT) * 1000
      + CAST(k * (10 + ${random('pace', 's')} * 80) * 1000 AS BIGINT) * 1000 AS us
  FROM (
    SELECT i, i // ${EVENTS_PER_SESSION} AS s, i % ${EVENTS_PER_SESSION} AS k, sessions, ${random('draw', 'i')} AS draw,
      ${random('bounce', 's').replaceAll(', s,', `, i // ${EVENTS_PER_SESSION},`)} < 0.3 AS bounces
    FROM (SELECT unnest(range(CAST($events AS BIGINT))) AS i, CAST($events AS BIGINT) // ${EVENTS_PER_SESSION} + 1 AS sessions)
  )
)`;
