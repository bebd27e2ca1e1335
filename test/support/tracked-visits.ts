/** A few visits of a shop, small enough to count by hand, for screens of goals, funnels, retention and journeys. */
import { expectSuccess } from './answers.ts';
import type { TestServer } from './start-tidegate.ts';

/** The days of the visits; 12 January 2025 is a Sunday. */
export const VISIT_DAYS = { from: '2025-01-12', to: '2025-01-15' };

/** Visitor, session, instant, name of the event, its path, and properties. */
type Visit = readonly [string, string, string, string, string, object?];

/**
 * On the 12th ada sees /, /pricing, signs up and pays 20; ben sees /pricing twice. On the 13th cleo sees /, signs up; ada sees /pricing and
 * pays 5. On the 15th dan sees /docs, and ben sees / and signs up.
 */
const VISITS: readonly Visit[] = [
  ['ada', 's1', '2025-01-12T10:00:00Z', 'screen_view', '/'],
  ['ada', 's1', '2025-01-12T10:01:00Z', 'screen_view', '/pricing'],
  ['ada', 's1', '2025-01-12T10:02:00Z', 'signup', '/pricing', { plan: 'pro' }],
  ['ada', 's1', '2025-01-12T10:05:00Z', 'purchase', '/pay', { total: 20 }],
  ['ben', 's2', '2025-01-12T11:00:00Z', 'screen_view', '/pricing'],
  ['ben', 's2', '2025-01-12T11:00:40Z', 'screen_view', '/pricing'],
  ['cleo', 's3', '2025-01-13T09:00:00Z', 'screen_view', '/'],
  ['cleo', 's3', '2025-01-13T09:04:00Z', 'signup', '/', { plan: 'free' }],
  ['ada', 's4', '2025-01-13T10:00:00Z', 'screen_view', '/pricing'],
  ['ada', 's4', '2025-01-13T10:03:00Z', 'purchase', '/pay', { total: 5 }],
  ['dan', 's5', '2025-01-15T08:00:00Z', 'screen_view', '/docs'],
  ['ben', 's6', '2025-01-15T12:00:00Z', 'screen_view', '/'],
  ['ben', 's6', '2025-01-15T12:10:00Z', 'signup', '/', { plan: 'pro' }],
];
/** They read German; dan and ben read French. */
const GERMAN = ['ada', 'cleo'];

/** Sends them to `web_shop`. */
export async function trackVisits(server: TestServer): Promise<void> {
  const body = VISITS.map(([anonymousId, sessionId, timestamp, name, path, properties]) => ({
    ...{ websiteId: 'web_shop', anonymousId, sessionId, timestamp, name, path },
    language: GERMAN.includes(anonymousId) ? 'de' : 'fr',
    ...(properties && { properties }),
  }));
  expectSuccess(await server.call('POST', '/track', { key: server.keys.all, body }));
}

/** Makes a goal or a funnel of `web_shop`; its identifier. */
export async function define(server: TestServer, kind: 'goals' | 'funnels', fields: object): Promise<string> {
  const body = { websiteId: 'web_shop', ...fields };
  const answer = await server.call('POST', `/v1/${kind}`, { key: server.keys.all, body });
  expectSuccess(answer, 201);
  return answer.body.data.id;
}

export const pageIs = (value: string) => ({ type: 'page', match: { op: 'eq', value } });
export const eventIs = (value: string) => ({ type: 'event', match: { op: 'eq', value } });
