/** Every protected route with a call of it, and what a caller gets whom its rule lets in. */

const EVENT = { name: 'signup', websiteId: 'web_shop' };
const PERSON = { profileId: 'user-1', websiteId: 'web_shop' };
const VITAL = { metricName: 'LCP', metricValue: 1800, websiteId: 'web_shop' };
const FAULT = { message: 'x is not a function', websiteId: 'web_shop' };
const QUERY = { parameters: ['summary'], preset: 'today' };

/** Status and, for errors, code. */
export type Outcome = readonly [status: number, code?: string];

export interface Target {
  readonly path: string;
  readonly body?: unknown;
  /** What a caller gets whom the rule lets in; a fault behind the rule where success would change what others need. */
  readonly passed: Outcome;
  /** The same for a website that the key key_shop does not list; absent where no website is named. */
  readonly elsewhere?: { readonly path: string; readonly body?: unknown };
  /** What a key gets that is limited to a website, where that differs. */
  readonly websiteKey?: Outcome;
  /** The field of the answer in which a list of websites stands. */
  readonly lists?: string;
}

const NOT_FOUND: Outcome = [404, 'NOT_FOUND'];
const DENIED: Outcome = [403, 'ACCESS_DENIED'];
const FAULTY: Outcome = [400, 'VALIDATION_ERROR'];

/** Every protected route by method and path. */
export const TARGETS: Readonly<Record<string, Target>> = {
  'POST /track': {
    path: '/track',
    body: EVENT,
    passed: [200],
    elsewhere: { path: '/track', body: { ...EVENT, websiteId: 'web_blog' } },
  },
  'POST /identify': {
    path: '/identify',
    body: PERSON,
    passed: [200],
    elsewhere: { path: '/identify', body: { ...PERSON, websiteId: 'web_blog' } },
  },
  'POST /events': {
    path: '/events',
    body: EVENT,
    passed: [200],
    elsewhere: { path: '/events', body: { ...EVENT, websiteId: 'web_blog' } },
  },
  'POST /vitals': {
    path: '/vitals',
    body: VITAL,
    passed: [200],
    elsewhere: { path: '/vitals', body: { ...VITAL, websiteId: 'web_blog' } },
  },
  'POST /errors': {
    path: '/errors',
    body: FAULT,
    passed: [200],
    elsewhere: { path: '/errors', body: { ...FAULT, websiteId: 'web_blog' } },
  },
  'POST /batch': {
    path: '/batch',
    body: [EVENT],
    passed: [200],
    elsewhere: { path: '/batch?client_id=web_blog', body: [{ name: 'signup' }] },
  },
  'POST /': {
    path: '/',
    body: EVENT,
    passed: [200],
    elsewhere: { path: '/?client_id=web_blog', body: { name: 'signup' } },
  },
  'GET /px.gif': {
    path: '/px.gif?name=signup',
    passed: [200],
    elsewhere: { path: '/px.gif?name=signup&client_id=web_blog' },
  },
  'POST /v1/query': {
    path: '/v1/query?website_id=web_shop',
    body: QUERY,
    passed: [200],
    elsewhere: { path: '/v1/query?website_id=web_blog', body: QUERY },
  },
  'POST /v1/query/compile': {
    path: '/v1/query/compile?website_id=web_shop',
    body: QUERY,
    passed: [200],
    elsewhere: { path: '/v1/query/compile?website_id=web_blog', body: QUERY },
  },
  'POST /v1/query/custom': {
    path: '/v1/query/custom?website_id=web_shop',
    body: { sql: 'SELECT count(*) AS events FROM events' },
    passed: [200],
    elsewhere: {
      path: '/v1/query/custom?website_id=web_blog',
      body: { sql: 'SELECT count(*) AS events FROM events' },
    },
  },
  'GET /v1/export': {
    path: '/v1/export?website_id=web_shop&start_date=2025-01-15&end_date=2025-01-15',
    passed: [200],
    websiteKey: DENIED,
  },
  'GET /v1/query/websites': { path: '/v1/query/websites', passed: [200], lists: 'websites' },
  'GET /v1/websites': { path: '/v1/websites', passed: [200], lists: 'data' },
  'GET /v1/websites/:id': {
    path: '/v1/websites/web_shop',
    passed: [200],
    elsewhere: { path: '/v1/websites/web_blog' },
  },
  'GET /v1/websites/:id/ingest': {
    path: '/v1/websites/web_shop/ingest',
    passed: [200],
    elsewhere: { path: '/v1/websites/web_blog/ingest' },
  },
  'GET /v1/organization': { path: '/v1/organization', passed: [200], websiteKey: DENIED },
  'PATCH /v1/organization': { path: '/v1/organization', body: {}, passed: [200], websiteKey: DENIED },
  'GET /v1/integrations': { path: '/v1/integrations', passed: [200], websiteKey: DENIED },
  'POST /v1/integrations': { path: '/v1/integrations', body: {}, passed: FAULTY, websiteKey: DENIED },
  'GET /v1/integrations/:id': {
    path: '/v1/integrations/int_none',
    passed: NOT_FOUND,
    websiteKey: DENIED,
  },
  'PATCH /v1/integrations/:id': {
    path: '/v1/integrations/int_none',
    body: { enabled: false },
    passed: NOT_FOUND,
    websiteKey: DENIED,
  },
  'DELETE /v1/integrations/:id': {
    path: '/v1/integrations/int_none',
    passed: NOT_FOUND,
    websiteKey: DENIED,
  },
  'POST /v1/websites': {
    path: '/v1/websites',
    body: {},
    passed: FAULTY,
    websiteKey: DENIED,
  },
  'PATCH /v1/websites/:id': {
    path: '/v1/websites/web_shop',
    body: { name: '' },
    passed: FAULTY,
    elsewhere: { path: '/v1/websites/web_blog', body: { name: '' } },
  },
  'DELETE /v1/websites/:id': { path: '/v1/websites/web_none', passed: [403, 'ACCESS_DENIED'] },
  'DELETE /v1/visitors': {
    path: '/v1/visitors?anonymous_id=nobody&website_id=web_shop',
    passed: [204],
    elsewhere: { path: '/v1/visitors?anonymous_id=nobody&website_id=web_blog' },
  },
  'DELETE /v1/visitors/:anonymousId': {
    path: '/v1/visitors/nobody?website_id=web_shop',
    passed: [204],
    elsewhere: { path: '/v1/visitors/nobody?website_id=web_blog' },
  },
  'GET /v1/profiles': {
    path: '/v1/profiles?profile_id=nobody&website_id=web_shop',
    passed: NOT_FOUND,
    elsewhere: { path: '/v1/profiles?profile_id=nobody&website_id=web_blog' },
  },
  'GET /v1/profiles/:profileId': {
    path: '/v1/profiles/nobody?website_id=web_shop',
    passed: NOT_FOUND,
    elsewhere: { path: '/v1/profiles/nobody?website_id=web_blog' },
  },
  'DELETE /v1/profiles': {
    path: '/v1/profiles?profile_id=nobody&website_id=web_shop',
    passed: NOT_FOUND,
    elsewhere: { path: '/v1/profiles?profile_id=nobody&website_id=web_blog' },
  },
  'DELETE /v1/profiles/:profileId': {
    path: '/v1/profiles/nobody?website_id=web_shop',
    passed: NOT_FOUND,
    elsewhere: { path: '/v1/profiles/nobody?website_id=web_blog' },
  },
  ...keptTargets('/v1/views', { name: 'x' }),
  ...keptTargets('/v1/annotations', { text: 'x' }),
  ...keptTargets('/v1/shares', { name: 'x' }),
  'GET /v1/links': {
    path: '/v1/links',
    passed: [200],
    elsewhere: { path: '/v1/links?website_id=web_blog' },
  },
  'POST /v1/links': { path: '/v1/links', body: {}, passed: FAULTY },
  'GET /v1/links/slug': { path: '/v1/links/slug?slug=free-one', passed: [200] },
  'GET /v1/links/:id': { path: '/v1/links/lnk_none', passed: NOT_FOUND },
  'PATCH /v1/links/:id': { path: '/v1/links/lnk_none', body: { name: 'x' }, passed: NOT_FOUND },
  'DELETE /v1/links/:id': { path: '/v1/links/lnk_none', passed: NOT_FOUND },
  'GET /v1/flags': {
    path: '/v1/flags',
    passed: [200],
    elsewhere: { path: '/v1/flags?website_id=web_blog' },
  },
  'POST /v1/flags': {
    path: '/v1/flags',
    body: {},
    passed: FAULTY,
    elsewhere: { path: '/v1/flags', body: { key: 'elsewhere', websiteId: 'web_blog' } },
  },
  'GET /v1/flags/:id': { path: '/v1/flags/flg_none', passed: NOT_FOUND },
  'PATCH /v1/flags/:id': { path: '/v1/flags/flg_none', body: { name: 'x' }, passed: NOT_FOUND },
  'DELETE /v1/flags/:id': { path: '/v1/flags/flg_none', passed: NOT_FOUND },
  'GET /v1/target-groups': { path: '/v1/target-groups', passed: [200], websiteKey: DENIED },
  'POST /v1/target-groups': { path: '/v1/target-groups', body: {}, passed: FAULTY, websiteKey: DENIED },
  'GET /v1/target-groups/:id': {
    path: '/v1/target-groups/tgt_none',
    passed: NOT_FOUND,
    websiteKey: DENIED,
  },
  'PATCH /v1/target-groups/:id': {
    path: '/v1/target-groups/tgt_none',
    body: { name: 'x' },
    passed: NOT_FOUND,
    websiteKey: DENIED,
  },
  'DELETE /v1/target-groups/:id': {
    path: '/v1/target-groups/tgt_none',
    passed: NOT_FOUND,
    websiteKey: DENIED,
  },
  'GET /v1/api-keys': { path: '/v1/api-keys', passed: [200] },
  'POST /v1/api-keys': { path: '/v1/api-keys', body: {}, passed: FAULTY },
  'GET /v1/api-keys/:id': { path: '/v1/api-keys/key_none', passed: NOT_FOUND },
  'PATCH /v1/api-keys/:id': { path: '/v1/api-keys/key_none', body: { enabled: false }, passed: NOT_FOUND },
  'POST /v1/api-keys/:id/rotate': { path: '/v1/api-keys/key_none/rotate', body: {}, passed: NOT_FOUND },
  'POST /v1/api-keys/:id/revoke': { path: '/v1/api-keys/key_none/revoke', passed: NOT_FOUND },
  'GET /v1/members': { path: '/v1/members', passed: [200] },
  'POST /v1/members': { path: '/v1/members', body: {}, passed: FAULTY },
  'GET /v1/members/:id': { path: '/v1/members/mem_none', passed: NOT_FOUND },
  'PATCH /v1/members/:id': { path: '/v1/members/mem_none', body: { role: 'viewer' }, passed: NOT_FOUND },
  'DELETE /v1/members/:id': { path: '/v1/members/mem_none', passed: NOT_FOUND },
  'POST /v1/members/:id/reset': { path: '/v1/members/mem_none/reset', passed: NOT_FOUND },
  'GET /v1/audit': { path: '/v1/audit', passed: [200] },
  'GET /v1/usage/plans': { path: '/v1/usage/plans', passed: [200] },
  'GET /v1/usage/requests': { path: '/v1/usage/requests', passed: [200] },
  'GET /v1/platform/configuration': { path: '/v1/platform/configuration', passed: [200] },
  'GET /v1/platform/explain': { path: '/v1/platform/explain?method=GET&path=/v1/flags', passed: [200] },
  'GET /v1/platform/changes': { path: '/v1/platform/changes?number=1', passed: [200] },
  'GET /v1/platform/history': { path: '/v1/platform/history', passed: [200] },
  'GET /v1/platform/upstreams': { path: '/v1/platform/upstreams', passed: [200] },
  'GET /v1/platform/organizations': { path: '/v1/platform/organizations', passed: [200] },
  'GET /v1/platform/traffic': { path: '/v1/platform/traffic', passed: [200] },
  'GET /v1/platform/limits': { path: '/v1/platform/limits', passed: [200] },
  'GET /v1/usage/limits': { path: '/v1/usage/limits', passed: [200] },
  'GET /v1/auth/sessions': { path: '/v1/auth/sessions', passed: [200] },
  'DELETE /v1/auth/sessions/:id': { path: '/v1/auth/sessions/ses_none', passed: NOT_FOUND },
  'PATCH /v1/auth/user': { path: '/v1/auth/user', body: {}, passed: FAULTY },
  'GET /v1/auth/session': { path: '/v1/auth/session', passed: [200] },
  'POST /v1/auth/switch': { path: '/v1/auth/switch', body: {}, passed: FAULTY },
  'POST /v1/auth/password': { path: '/v1/auth/password', body: {}, passed: FAULTY },
  'POST /v1/auth/logout': { path: '/v1/auth/logout', passed: [204] },
};

/** What users keep on a website: those of one that the key does not list are out of reach. */
function keptTargets(path: string, body: object): Readonly<Record<string, Target>> {
  const none = `${path}/none_1`;
  return {
    [`GET ${path}`]: { path, passed: [200], elsewhere: { path: `${path}?website_id=web_blog` } },
    [`POST ${path}`]: {
      path,
      body: {},
      passed: FAULTY,
      elsewhere: { path, body: { websiteId: 'web_blog' } },
    },
    [`GET ${path}/:id`]: { path: none, passed: NOT_FOUND },
    [`PATCH ${path}/:id`]: { path: none, body, passed: NOT_FOUND },
    [`DELETE ${path}/:id`]: { path: none, passed: NOT_FOUND },
  };
}
