/** A second hand-written log, of web_a in January 2025 and on the day of the golden tests, for what the first one lacks. */
import { type EventFields, eventRecord } from './event.ts';

const phone = {
  device_type: 'mobile',
  browser_name: 'Safari',
  browser_version: '17.2',
  os_name: 'iOS',
  os_version: '17',
};
const desk = {
  device_type: 'desktop',
  browser_name: 'Chrome',
  browser_version: '120.0',
  os_name: 'Windows',
  os_version: '11',
};
const berlin = { country: 'DE', region: 'Berlin', city: 'Berlin', timezone: 'Europe/Berlin', language: 'de' };
const paris = {
  country: 'FR',
  region: 'Île-de-France',
  city: 'Paris',
  timezone: 'Europe/Paris',
  language: 'fr-FR',
};
const google = { referrer_group: 'search', referrer_host: 'google.com' };

/**
 * 15 and 16 January 2025, by session:
 *
 * | session | visitor | pageviews | duration | events                                             |
 * | a1      | anna    | 3         |  90.500 s | 10:00:00.000 to 10:01:30.500 on the 15th, phone, DE |
 * | b1      | ben     | 1         |   0.000 s | 11:00 on the 15th, desktop, FR                      |
 * | a2      | anna    | 1         | 600.000 s | 09:00 to 09:10 on the 16th, phone first, then desktop |
 * | x1      | xaver   | 0         |   5.000 s | no pageview: 12:00 on the 16th                      |
 */
const JANUARY: EventFields[] = [
  {
    at: '2025-01-15T10:00:00.000Z',
    anonymous_id: 'anna',
    session_id: 'a1',
    path: '/',
    ...phone,
    ...berlin,
    ...google,
    referrer: 'https://google.com/search?q=a',
    screen_resolution: '390x844',
    load_time: 1000.4,
    ttfb: 100,
  },
  {
    at: '2025-01-15T10:00:30.000Z',
    event_name: 'page_exit',
    anonymous_id: 'anna',
    session_id: 'a1',
    path: '/',
    time_on_page: 30,
    scroll_depth: 80,
    interaction_count: 2,
  },
  {
    at: '2025-01-15T10:00:30.000Z',
    anonymous_id: 'anna',
    session_id: 'a1',
    path: '/shop',
    ...phone,
    ...berlin,
    referrer_group: 'direct',
    referrer_host: 'shop.example',
    referrer: 'https://shop.example/',
    screen_resolution: '390x844',
    load_time: 500,
  },
  {
    at: '2025-01-15T10:01:30.500Z',
    anonymous_id: 'anna',
    session_id: 'a1',
    path: '/cart',
    ...phone,
    ...berlin,
    load_time: 3000,
  },
  {
    at: '2025-01-15T10:01:30.500Z',
    event_name: 'page_exit',
    anonymous_id: 'anna',
    session_id: 'a1',
    path: '/shop',
    time_on_page: 60.505,
    scroll_depth: 33.333,
    interaction_count: 0,
  },
  {
    at: '2025-01-15T11:00:00.000Z',
    anonymous_id: 'ben',
    session_id: 'b1',
    profile_id: 'customer-7',
    path: '/shop',
    ...desk,
    ...paris,
    ...google,
    referrer: 'https://google.com/search?q=b',
    screen_resolution: '1920x1080',
    utm_medium: 'cpc',
    utm_campaign: 'winter',
    utm_term: 'shoes',
    utm_content: 'top',
    load_time: 2000,
    ttfb: 301,
  },
  {
    at: '2025-01-16T09:00:00.000Z',
    anonymous_id: 'anna',
    session_id: 'a2',
    path: '/',
    ...phone,
    ...berlin,
    referrer_group: 'direct',
  },
  {
    at: '2025-01-16T09:10:00.000Z',
    event_name: 'page_exit',
    anonymous_id: 'anna',
    session_id: 'a2',
    path: '/',
    ...desk,
    time_on_page: 41.004,
  },
  {
    at: '2025-01-16T12:00:00.000Z',
    event_name: 'signup',
    anonymous_id: 'xaver',
    session_id: 'x1',
    path: '/join',
    properties: '{"plan":"pro","seats":3,"tags":["a"],"none":null}',
  },
  {
    at: '2025-01-16T12:00:05.000Z',
    event_name: 'signup',
    anonymous_id: 'xaver',
    session_id: 'x1',
    path: '/join',
    namespace: 'growth',
    source: 'web',
    properties: '{"plan":"pro"}',
  },
  // Errors.
  {
    at: '2025-01-15T10:00:10.000Z',
    event_name: 'error',
    anonymous_id: 'anna',
    session_id: 'a1',
    path: '/',
    message: 'x is not a function',
    error_type: 'TypeError',
    filename: 'app.js',
    lineno: 10,
    colno: 5,
    stack: 'TypeError: x\n at app.js:10:5',
    ...phone,
    ...berlin,
  },
  {
    at: '2025-01-15T11:00:00.000Z',
    event_name: 'error',
    anonymous_id: 'ben',
    session_id: 'b1',
    path: '/shop',
    message: 'x is not a function',
  },
  { at: '2025-01-16T12:00:01.000Z', event_name: 'error', message: 'timeout' },
  // Web vitals: of LCP 1000, 2000, 3000, 4000; of CLS 0.1234.
  ...[4000, 1000, 3000, 2000].map((metric_value, index) => ({
    at: `2025-01-15T10:00:0${index}.000Z`,
    event_name: 'web_vitals',
    anonymous_id: 'anna',
    session_id: 'a1',
    path: index < 3 ? '/' : '/shop',
    metric_name: 'LCP',
    metric_value,
  })),
  {
    at: '2025-01-15T10:00:05.000Z',
    event_name: 'web_vitals',
    anonymous_id: 'anna',
    session_id: 'a1',
    path: '/',
    metric_name: 'CLS',
    metric_value: 0.1234,
  },
  // Links that lead away.
  ...[
    ['10:00:20', 'anna', 'a1', 'https://partner.example/a?b', 'Partner'],
    ['10:00:21', 'anna', 'a1', 'https://partner.example/a?b', 'Partner'],
    ['11:00:00', 'ben', 'b1', 'http://user@partner.example:8080/c', null],
    ['11:00:00', 'ben', 'b1', 'mailto:info@partner.example', 'Mail'],
  ].map(([time, anonymous_id, session_id, href, text]) => ({
    at: `2025-01-15T${time}.000Z`,
    event_name: 'outgoing_link',
    anonymous_id,
    session_id,
    path: '/',
    href,
    text,
  })),
  // Clicks on short links; the second link is not of this website.
  {
    at: '2025-01-15T08:00:00.000Z',
    event_name: 'link_click',
    link_id: 'lnk_1',
    ...phone,
    ...berlin,
    ...google,
    referrer: 'https://google.com/',
  },
  { at: '2025-01-16T08:00:00.000Z', event_name: 'link_click', link_id: 'lnk_1', ...desk, ...paris },
  { at: '2025-01-16T08:00:01.000Z', event_name: 'link_click', link_id: 'lnk_1', ...desk, ...paris },
  {
    at: '2025-01-16T08:00:02.000Z',
    event_name: 'link_click',
    link_id: 'lnk_2',
    website_id: null,
    ...desk,
    ...paris,
  },
];

/** 2 April 2025, whose clock stands at 10:00. */
const TODAY: EventFields[] = [
  { at: '2025-04-01T23:59:59.999Z', anonymous_id: 'w', session_id: 'w1', path: '/' },
  { at: '2025-04-02T00:00:00.000Z', anonymous_id: 'w', session_id: 'w1', path: '/' },
  { at: '2025-04-02T09:54:59.999Z', anonymous_id: 'y', session_id: 'y1', path: '/' },
  { at: '2025-04-02T09:55:00.000Z', event_name: 'signup', anonymous_id: 'w', session_id: 'w2' },
  { at: '2025-04-02T10:00:00.000Z', event_name: 'signup', anonymous_id: 'z' },
  { at: '2025-04-02T10:00:00.001Z', anonymous_id: 'later', session_id: 'l1', path: '/' },
];

export const GOLDEN_SHOP_LOG = [...JANUARY, ...TODAY].map((fields) => eventRecord(fields as EventFields));
