/** Every write route of the services with a call of it that writes, for the test that each leaves one audit record. */

/** A call that succeeds, made by a session of an owner. */
export interface AuditedWrite {
  readonly path: string;
  readonly body?: unknown;
  /** What is made before all, by `POST`; its identifier takes the place of `:given` in bodies. */
  readonly given?: { readonly path: string; readonly body: unknown };
  /** What is made before, by `POST`; its identifier takes the place of `:id` in `path`. */
  readonly of?: { readonly path: string; readonly body: unknown };
  /** What is made before is an invitation; once it is accepted, the member's identifier takes that place. */
  readonly accepted?: true;
  /** What is refused; default: the same with an unknown identifier and a body of nonsense. */
  readonly refused?: string;
}

const KEY = {
  path: '/v1/api-keys',
  body: { name: 'Audited', scopes: ['track:events'], access: { level: 'global' } },
};
const INTEGRATION = {
  path: '/v1/integrations',
  body: {
    type: 'webhook',
    name: 'Audited',
    config: { url: 'https://a.example.com', secret: 'kept-secret-9999' },
  },
};
const WEBSITE = { path: '/v1/websites', body: { name: 'Audited', domain: 'audited.example.com' } };
const LINK = { path: '/v1/links', body: { name: 'Audited', targetUrl: 'https://example.com/' } };
const FLAG = { path: '/v1/flags', body: { key: 'audited' } };
const TARGET_GROUP = { path: '/v1/target-groups', body: { name: 'Audited' } };
const VIEW = {
  path: '/v1/views',
  body: { websiteId: 'web_shop', name: 'Audited', state: { preset: 'today' } },
};
const ANNOTATION = {
  path: '/v1/annotations',
  body: { websiteId: 'web_shop', at: '2026-01-15', text: 'Audited' },
};
const SHARED_VIEW = { path: '/v1/views', body: { ...VIEW.body, shared: true } };
const SHARE = {
  path: '/v1/shares',
  body: { websiteId: 'web_shop', view: ':given', name: 'Audited', datasets: ['pages'] },
};
/** A person, by an event of theirs: what is made has no identifier of ours. */
const personOf = (profileId: string) => ({ path: '/track', body: { name: 'audited', profileId } });
/** A new invitation of its own. */
const MEMBER = { path: '/v1/members', body: { email: 'audited@example.com', role: 'viewer' } };

/** By method and path. The acts of sessions (`/v1/auth/…`) are held to the same in test/plugins/auth/session/audit.test.ts. */
export const AUDITED_WRITES: Readonly<Record<string, AuditedWrite>> = {
  'POST /v1/api-keys': KEY,
  'PATCH /v1/api-keys/:id': { path: '/v1/api-keys/:id', body: { name: 'Other' }, of: KEY },
  'POST /v1/api-keys/:id/rotate': { path: '/v1/api-keys/:id/rotate', body: {}, of: KEY },
  'POST /v1/api-keys/:id/revoke': { path: '/v1/api-keys/:id/revoke', of: KEY },
  'POST /v1/members': { ...MEMBER, body: { ...MEMBER.body, email: 'other@example.com' } },
  'PATCH /v1/members/:id': { path: '/v1/members/:id', body: { role: 'member' }, of: MEMBER, accepted: true },
  'DELETE /v1/members/:id': {
    path: '/v1/members/:id',
    of: { ...MEMBER, body: { ...MEMBER.body, email: 'third@example.com' } },
  },
  'POST /v1/members/:id/reset': {
    path: '/v1/members/:id/reset',
    of: { ...MEMBER, body: { ...MEMBER.body, email: 'reset@example.com' } },
    accepted: true,
  },
  'PATCH /v1/organization': { path: '/v1/organization', body: { timezone: 'Europe/Berlin' } },
  'POST /v1/integrations': INTEGRATION,
  'PATCH /v1/integrations/:id': {
    path: '/v1/integrations/:id',
    body: { config: { secret: 'kept-secret-0000' } },
    of: INTEGRATION,
  },
  'DELETE /v1/integrations/:id': { path: '/v1/integrations/:id', of: INTEGRATION },
  'POST /v1/websites': WEBSITE,
  'PATCH /v1/websites/:id': {
    path: '/v1/websites/:id',
    body: { name: 'Other' },
    of: { ...WEBSITE, body: { ...WEBSITE.body, domain: 'changed.example.com' } },
  },
  'DELETE /v1/websites/:id': {
    path: '/v1/websites/:id',
    of: { ...WEBSITE, body: { ...WEBSITE.body, domain: 'deleted.example.com' } },
  },
  'DELETE /v1/visitors': {
    path: '/v1/visitors?anonymous_id=audited',
    refused: '/v1/visitors?anonymous_id=audited&website_id=web_none',
  },
  'DELETE /v1/visitors/:anonymousId': {
    path: '/v1/visitors/audited',
    refused: '/v1/visitors/audited?website_id=web_none',
  },
  'DELETE /v1/profiles': {
    path: '/v1/profiles?profile_id=audited-by-query',
    of: personOf('audited-by-query'),
  },
  'DELETE /v1/profiles/:profileId': { path: '/v1/profiles/audited', of: personOf('audited') },
  'POST /v1/views': VIEW,
  'PATCH /v1/views/:id': { path: '/v1/views/:id', body: { name: 'Other' }, of: VIEW },
  'DELETE /v1/views/:id': { path: '/v1/views/:id', of: VIEW },
  'POST /v1/annotations': ANNOTATION,
  'PATCH /v1/annotations/:id': { path: '/v1/annotations/:id', body: { text: 'Other' }, of: ANNOTATION },
  'DELETE /v1/annotations/:id': { path: '/v1/annotations/:id', of: ANNOTATION },
  'POST /v1/shares': { ...SHARE, given: SHARED_VIEW },
  'PATCH /v1/shares/:id': {
    path: '/v1/shares/:id',
    body: { password: 'kept-secret-1111' },
    of: SHARE,
    given: SHARED_VIEW,
  },
  'DELETE /v1/shares/:id': { path: '/v1/shares/:id', of: SHARE, given: SHARED_VIEW },
  'POST /v1/links': LINK,
  'PATCH /v1/links/:id': { path: '/v1/links/:id', body: { name: 'Other' }, of: LINK },
  'DELETE /v1/links/:id': { path: '/v1/links/:id', of: LINK },
  'POST /v1/flags': FLAG,
  'PATCH /v1/flags/:id': {
    path: '/v1/flags/:id',
    body: { name: 'Other' },
    of: { ...FLAG, body: { key: 'audited-change' } },
  },
  'DELETE /v1/flags/:id': { path: '/v1/flags/:id', of: { ...FLAG, body: { key: 'audited-delete' } } },
  'POST /v1/target-groups': TARGET_GROUP,
  'PATCH /v1/target-groups/:id': {
    path: '/v1/target-groups/:id',
    body: { name: 'Other' },
    of: TARGET_GROUP,
  },
  'DELETE /v1/target-groups/:id': { path: '/v1/target-groups/:id', of: TARGET_GROUP },
};
