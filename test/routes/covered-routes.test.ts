/** Every route of the API has a contract test through the whole server: one line a route says which. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { API_ROUTES } from '../../gateway/process/compose/api-description.ts';
import { RESOURCE_TESTS } from '../support/stored-resources.ts';

/** The file of test/routes, without `.test.ts`, that calls the route; of a stored thing, unless a line says otherwise, that of its name. */
const COVERED_BY: Readonly<Record<string, string>> = {
  ...RESOURCE_TESTS,
  'DELETE /v1/auth/sessions/:id': 'auth.contract',
  'DELETE /v1/flags/:id': 'flags.contract',
  'DELETE /v1/integrations/:id': 'integrations.contract',
  'DELETE /v1/links/:id': 'links.contract',
  'DELETE /v1/members/:id': 'management.contract',
  'DELETE /v1/profiles': 'profiles.contract',
  'DELETE /v1/profiles/:profileId': 'profiles.contract',
  'DELETE /v1/target-groups/:id': 'flags.contract',
  'DELETE /v1/visitors': 'visitors.contract',
  'DELETE /v1/visitors/:anonymousId': 'visitors.contract',
  'DELETE /v1/websites/:id': 'websites.changes',
  'GET /.well-known/jwks.json': 'identity',
  'GET /:slug': 'links.slug',
  'GET /docs': 'reference.contract',
  'GET /docs/:asset': 'reference.contract',
  'GET /openapi.json': 'reference.contract',
  'GET /public/v1/flags/bulk': 'flags.contract',
  'GET /public/v1/flags/evaluate': 'flags.contract',
  'GET /px.gif': 'ingest.contract',
  'GET /tracker.js': 'tracker',
  'GET /v1/api-keys': 'management.contract',
  'GET /v1/api-keys/:id': 'management.contract',
  'GET /v1/audit': 'management.contract',
  'GET /v1/auth/session': 'auth.contract',
  'GET /v1/auth/sessions': 'auth.contract',
  'GET /v1/export': 'export.contract',
  'GET /v1/flags': 'flags.contract',
  'GET /v1/flags/:id': 'flags.contract',
  'GET /v1/integrations': 'integrations.contract',
  'GET /v1/integrations/:id': 'integrations.contract',
  'GET /v1/links': 'links.contract',
  'GET /v1/links/:id': 'links.contract',
  'GET /v1/links/slug': 'links.judged.contract',
  'GET /v1/members': 'management.contract',
  'GET /v1/members/:id': 'management.contract',
  'GET /v1/organization': 'organization.contract',
  'GET /v1/profiles': 'profiles.contract',
  'GET /v1/profiles/:profileId': 'profiles.contract',
  'GET /v1/platform/changes': 'platform.contract',
  'GET /v1/platform/configuration': 'platform.contract',
  'GET /v1/platform/explain': 'platform.contract',
  'GET /v1/platform/history': 'platform.contract',
  'GET /v1/platform/limits': 'platform.contract',
  'GET /v1/platform/organizations': 'platform.contract',
  'GET /v1/platform/traffic': 'platform.contract',
  'GET /v1/platform/upstreams': 'platform.contract',
  'GET /v1/query/types': 'routes.contract',
  'GET /v1/query/websites': 'routes.contract',
  'GET /v1/target-groups': 'flags.contract',
  'GET /v1/target-groups/:id': 'flags.contract',
  'GET /v1/usage/limits': 'usage-limits.contract',
  'GET /v1/usage/plans': 'usage-requests.contract',
  'GET /v1/usage/requests': 'usage-requests.contract',
  'GET /v1/websites': 'websites.contract',
  'GET /v1/websites/:id': 'websites.contract',
  'GET /v1/websites/:id/ingest': 'websites.ingest.contract',
  'PATCH /v1/api-keys/:id': 'management.contract',
  'PATCH /v1/auth/user': 'auth.contract',
  'PATCH /v1/flags/:id': 'flags.contract',
  'PATCH /v1/integrations/:id': 'integrations.contract',
  'PATCH /v1/links/:id': 'links.contract',
  'PATCH /v1/members/:id': 'management.contract',
  'PATCH /v1/organization': 'organization.contract',
  'PATCH /v1/target-groups/:id': 'flags.contract',
  'PATCH /v1/websites/:id': 'websites.changes',
  'POST /': 'ingest.contract',
  'POST /batch': 'ingest.contract',
  'POST /errors': 'ingest.contract',
  'POST /events': 'ingest.contract',
  'POST /identify': 'ingest.contract',
  'POST /track': 'routes.contract',
  'POST /v1/api-keys': 'management.contract',
  'POST /v1/api-keys/:id/revoke': 'management.contract',
  'POST /v1/api-keys/:id/rotate': 'management.contract',
  'POST /v1/auth/accept': 'auth.contract',
  'POST /v1/auth/invitation': 'auth.contract',
  'POST /v1/auth/login': 'auth.contract',
  'POST /v1/auth/logout': 'auth.contract',
  'POST /v1/auth/password': 'auth.contract',
  'POST /v1/auth/refresh': 'auth.contract',
  'POST /v1/auth/reset': 'auth.contract',
  'POST /v1/auth/switch': 'auth.contract',
  'POST /v1/flags': 'flags.contract',
  'POST /v1/integrations': 'integrations.contract',
  'POST /v1/links': 'links.contract',
  'POST /v1/members/:id/reset': 'auth.contract',
  'POST /v1/members': 'management.contract',
  'POST /v1/query': 'routes.contract',
  'POST /v1/query/compile': 'query.compile',
  'POST /v1/query/custom': 'custom-query.contract',
  'POST /v1/target-groups': 'flags.contract',
  'GET /share/:token': 'share-page.contract',
  'POST /public/v1/shares/:token/query': 'share-readers.contract',
  'POST /public/v1/shares/:token/unlock': 'share-readers.contract',
  'POST /v1/websites': 'websites.contract',
  'POST /vitals': 'ingest.contract',
};

describe('the contract tests', () => {
  it('cover every route of the API', () => {
    const routes = API_ROUTES.map((route) => `${route.method} ${route.path}`).sort();
    const advice = 'describe the new route with protectedRouteCases or limitCases, and name its file here';
    expect(Object.keys(COVERED_BY).sort(), advice).to.deep.equal(routes);
  });

  for (const [route, file] of Object.entries(COVERED_BY)) {
    it(`call ${route} in ${file}`, () => {
      const text = readFileSync(join(PACKAGE_ROOT, 'test/routes', `${file}.test.ts`), 'utf8');
      const [, path = ''] = route.split(' ');
      // Up to the first parameter, whose place a real identifier takes.
      expect(text).to.include(path.replace(/:.*$/, ''));
    });
  }
});
