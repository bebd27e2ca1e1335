/** A hand-written log of events; the golden tests work every answer out from it by hand. */
import { type EventFields, eventRecord } from './event.ts';

/** The day of every golden test: a Wednesday. */
export const GOLDEN_NOW = Date.parse('2025-04-02T10:00:00.000Z');

const search = { referrer_group: 'search', referrer_host: 'google.com' };
const referral = { referrer_group: 'referral', referrer_host: 'blog.example' };
const direct = { referrer_group: 'direct' };
const campaign = { referrer_group: 'campaign', utm_source: 'news' };

/**
 * The website web_a from 29 to 31 March 2025, by session:
 *
 * | session | visitor | pageviews | bounce | duration     | first event in UTC / Berlin                    |
 * | s1      | v1      | 2         | no     |     120.000 s | 29th                                           |
 * | s10     | v2      | 1         | yes    |       0.000 s | 29th                                           |
 * | s2      | v2      | 1         | yes    |      60.000 s | 29th, ends on the 30th in Berlin               |
 * | s3      | v1      | 2         | no     |      25.010 s | 30th, crosses the change to summer time        |
 * | s4      | v3      | 1         | yes    |       0.000 s | 30th, in the last millisecond of it in Berlin  |
 * | s5      | v3      | 1         | yes    |  36,000.000 s | 30th in UTC, 31st in Berlin                    |
 */
const WEBSITE: EventFields[] = [
  // s1: two pageviews and a signup.
  {
    at: '2025-03-29T09:00:00.000Z',
    anonymous_id: 'v1',
    session_id: 's1',
    path: '/',
    country: 'DE',
    ...direct,
  },
  {
    at: '2025-03-29T09:00:40.500Z',
    anonymous_id: 'v1',
    session_id: 's1',
    path: '/pricing',
    country: 'DE',
    ...direct,
  },
  {
    at: '2025-03-29T09:02:00.000Z',
    event_name: 'signup',
    anonymous_id: 'v1',
    session_id: 's1',
    path: '/pricing',
    country: 'DE',
    namespace: 'growth',
    properties: '{"plan":"pro","seats":3}',
  },
  // s10: a path that is special to LIKE, and a referrer of the own domain.
  {
    at: '2025-03-29T15:00:00.000Z',
    anonymous_id: 'v2',
    session_id: 's10',
    path: '/100%_off',
    referrer_group: 'direct',
    referrer_host: 'shop.example',
  },
  // s2: 23:59:30 and 00:00:30 in Berlin.
  { at: '2025-03-29T22:59:30.000Z', anonymous_id: 'v2', session_id: 's2', path: '/', ...search },
  {
    at: '2025-03-29T23:00:30.000Z',
    event_name: 'signup',
    anonymous_id: 'v2',
    session_id: 's2',
    path: '/',
  },
  // s3: 01:59:59.999 and 03:00:00.000 in Berlin.
  {
    at: '2025-03-30T00:59:59.999Z',
    anonymous_id: 'v1',
    session_id: 's3',
    path: '/docs',
    ...campaign,
    referrer_host: 'mail.example',
  },
  { at: '2025-03-30T01:00:00.000Z', anonymous_id: 'v1', session_id: 's3', path: '/', ...campaign },
  {
    at: '2025-03-30T01:00:25.009Z',
    event_name: 'page_exit',
    anonymous_id: 'v1',
    session_id: 's3',
    path: '/',
  },
  // s4 and s5: the last millisecond of the 30th and the first of the 31st in Berlin.
  { at: '2025-03-30T21:59:59.999Z', anonymous_id: 'v3', session_id: 's4', path: '/pricing', ...referral },
  { at: '2025-03-30T22:00:00.000Z', anonymous_id: 'v3', session_id: 's5', path: '/', ...referral },
  {
    at: '2025-03-31T08:00:00.000Z',
    event_name: 'purchase',
    anonymous_id: 'v3',
    session_id: 's5',
    path: '/checkout',
    properties: '{"plan":"free","price":10.5,"a.b":"dotted","a/b":"slashed","$.plan":"dollar","gift":null}',
  },
  // A server: no visitor, no session, no page.
  { at: '2025-03-31T12:00:00.000Z', event_name: 'purchase', properties: '{"plan":"pro"}' },
  // A visitor without session, and without referrer or path.
  { at: '2025-03-31T12:30:00.000Z', anonymous_id: 'v4' },
  // An empty session is none; empty properties are none.
  {
    at: '2025-03-31T13:00:00.000Z',
    event_name: 'ping',
    anonymous_id: 'v4',
    session_id: '',
    path: '/',
    properties: '{}',
  },
];

/** 3 November 2024 in New York has 25 hours; 01:30 comes twice, at 05:30 and 06:30 UTC. */
const LONG_DAY: EventFields[] = [
  { at: '2024-11-03T05:30:00.000Z', anonymous_id: 'v6', session_id: 's7', path: '/fall' },
  { at: '2024-11-03T06:30:00.000Z', anonymous_id: 'v6', session_id: 's7', path: '/fall' },
  { at: '2024-11-04T04:59:59.000Z', anonymous_id: 'v7', session_id: 's8', path: '/fall' },
];

/** What answers about web_a must not show. */
const ELSEWHERE: EventFields[] = [
  { at: '2025-03-30T09:00:00.000Z', anonymous_id: 'v9', session_id: 's9', path: '/', is_bot: true },
  // An event of the organization itself.
  {
    at: '2025-03-30T12:00:00.000Z',
    website_id: null,
    event_name: 'invoice',
    anonymous_id: 'v1',
    properties: '{"plan":"pro"}',
  },
  {
    at: '2025-03-29T10:00:00.000Z',
    website_id: 'web_b',
    anonymous_id: 'v5',
    session_id: 's6',
    path: '/post',
  },
  // Another organization.
  {
    at: '2025-03-29T10:00:00.000Z',
    organization_id: 'org_b',
    website_id: 'web_c',
    anonymous_id: 'v8',
    session_id: 's11',
    path: '/',
  },
  { at: '2025-03-29T11:00:00.000Z', organization_id: 'org_b', website_id: null, event_name: 'invoice' },
];

export const GOLDEN_LOG = [...WEBSITE, ...LONG_DAY, ...ELSEWHERE].map(eventRecord);
