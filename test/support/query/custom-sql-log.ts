/** The small log that the cases of custom SQL are worked out over. */
import { type EventFields, eventRecord } from './event.ts';

const PRO = '{"plan":"pro","price":10.5,"tags":["a","b"]}';
const FREE = '{"plan":"free","price":0}';

/** Three visitors, four sessions, two countries, one crawler. */
const LOG: readonly EventFields[] = [
  {
    at: '2025-01-01T10:00:00Z',
    anonymous_id: 'v1',
    session_id: 's1',
    path: '/',
    country: 'DE',
    load_time: 100,
  },
  {
    at: '2025-01-01T10:01:00Z',
    anonymous_id: 'v1',
    session_id: 's1',
    path: '/a',
    country: 'DE',
    load_time: 200,
  },
  {
    at: '2025-01-01T10:02:30Z',
    anonymous_id: 'v1',
    session_id: 's1',
    event_name: 'signup',
    path: '/a',
    country: 'DE',
    properties: PRO,
  },
  {
    at: '2025-01-01T23:30:00Z',
    anonymous_id: 'v2',
    session_id: 's2',
    path: '/',
    country: 'US',
    load_time: 300,
    referrer_host: 'news.example',
  },
  {
    at: '2025-01-02T09:00:00Z',
    anonymous_id: 'v2',
    session_id: 's3',
    path: '/b',
    country: 'US',
    load_time: 400,
  },
  {
    at: '2025-01-02T09:00:10Z',
    anonymous_id: 'v2',
    session_id: 's3',
    event_name: 'signup',
    path: '/b',
    country: 'US',
    properties: FREE,
  },
  {
    at: '2025-01-02T09:05:00Z',
    anonymous_id: 'v2',
    session_id: 's3',
    event_name: 'error',
    path: '/b',
    country: 'US',
    message: 'boom',
  },
  {
    at: '2025-01-03T12:00:00Z',
    anonymous_id: 'v3',
    session_id: 's4',
    path: '/',
    country: 'DE',
    load_time: 1_000,
  },
  {
    at: '2025-01-03T12:00:05Z',
    anonymous_id: 'v3',
    session_id: 's4',
    event_name: 'web_vitals',
    path: '/',
    country: 'DE',
    metric_name: 'LCP',
    metric_value: 1.25,
  },
  { at: '2025-01-03T12:00:06Z', event_name: 'link_click', link_id: 'lnk_1', country: 'DE' },
  { at: '2025-01-03T13:00:00Z', session_id: 'crawl', path: '/', is_bot: true },
];

export const CUSTOM_LOG = LOG.map((fields) => eventRecord(fields));

/** A query and what it answers. */
export interface CustomSqlCase {
  readonly what: string;
  readonly sql: string;
  readonly body?: object;
  /** Values of the rows, in the order of their columns. */
  readonly rows: readonly (readonly unknown[])[];
}

/** Pageviews of people. */
export const P = 'FROM pageviews WHERE NOT is_bot';
