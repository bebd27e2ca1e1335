/** Every route of the API has a contract test through the whole server: one line a route says which. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { API_ROUTES } from '../../gateway/api-description.ts';

/** The file of test/api, without `.test.ts`, that calls the route. */
const COVERED_BY: Readonly<Record<string, string>> = {
  'DELETE /v1/flags/:id': 'flag-contract',
  'DELETE /v1/integrations/:id': 'integration-contract',
  'DELETE /v1/links/:id': 'link-contract',
  'DELETE /v1/members/:id': 'management-contract',
  'DELETE /v1/target-groups/:id': 'flag-contract',
  'DELETE /v1/visitors': 'visitors-contract',
  'DELETE /v1/visitors/:anonymousId': 'visitors-contract',
  'DELETE /v1/websites/:id': 'website-changes-contract',
  'GET /.well-known/jwks.json': 'identity',
  'GET /:slug': 'slug-contract',
  'GET /docs': 'reference-contract',
  'GET /docs/:asset': 'reference-contract',
  'GET /openapi.json': 'reference-contract',
  'GET /public/v1/flags/bulk': 'flag-contract',
  'GET /public/v1/flags/evaluate': 'flag-contract',
  'GET /px.gif': 'ingest-contract',
  'GET /tracker.js': 'tracker',
  'GET /v1/api-keys': 'management-contract',
  'GET /v1/api-keys/:id': 'management-contract',
  'GET /v1/audit': 'management-contract',
  'GET /v1/auth/session': 'auth-contract',
  'GET /v1/flags': 'flag-contract',
  'GET /v1/flags/:id': 'flag-contract',
  'GET /v1/integrations': 'integration-contract',
  'GET /v1/integrations/:id': 'integration-contract',
  'GET /v1/links': 'link-contract',
  'GET /v1/links/:id': 'link-contract',
  'GET /v1/members': 'management-contract',
  'GET /v1/members/:id': 'management-contract',
  'GET /v1/organization': 'organization-contract',
  'GET /v1/query/types': 'routes-contract',
  'GET /v1/query/websites': 'routes-contract',
  'GET /v1/target-groups': 'flag-contract',
  'GET /v1/target-groups/:id': 'flag-contract',
  'GET /v1/websites': 'websites-contract',
  'GET /v1/websites/:id': 'websites-contract',
  'PATCH /v1/api-keys/:id': 'management-contract',
  'PATCH /v1/flags/:id': 'flag-contract',
  'PATCH /v1/integrations/:id': 'integration-contract',
  'PATCH /v1/links/:id': 'link-contract',
  'PATCH /v1/members/:id': 'management-contract',
  'PATCH /v1/organization': 'organization-contract',
  'PATCH /v1/target-groups/:id': 'flag-contract',
  'PATCH /v1/websites/:id': 'website-changes-contract',
  'POST /': 'ingest-contract',
  'POST /batch': 'ingest-contract',
  'POST /errors': 'ingest-contract',
  'POST /events': 'ingest-contract',
  'POST /identify': 'ingest-contract',
  'POST /track': 'routes-contract',
  'POST /v1/api-keys': 'management-contract',
  'POST /v1/api-keys/:id/revoke': 'management-contract',
  'POST /v1/api-keys/:id/rotate': 'management-contract',
  'POST /v1/auth/accept': 'auth-contract',
  'POST /v1/auth/login': 'auth-contract',
  'POST /v1/auth/logout': 'auth-contract',
  'POST /v1/auth/password': 'auth-contract',
  'POST /v1/auth/refresh': 'auth-contract',
  'POST /v1/auth/switch': 'auth-contract',
  'POST /v1/flags': 'flag-contract',
  'POST /v1/integrations': 'integration-contract',
  'POST /v1/links': 'link-contract',
  'POST /v1/members': 'management-contract',
  'POST /v1/query': 'routes-contract',
  'POST /v1/query/compile': 'compile-contract',
  'POST /v1/query/custom': 'custom-query-contract',
  'POST /v1/target-groups': 'flag-contract',
  'POST /v1/websites': 'websites-contract',
  'POST /vitals': 'ingest-contract',
};

describe('the contract tests', () => {
  it('cover every route of the API', () => {
    const routes = API_ROUTES.map((route) => `${route.method} ${route.path}`).sort();
    const advice = 'describe the new route with protectedRouteCases or limitCases, and name its file here';
    expect(Object.keys(COVERED_BY).sort(), advice).to.deep.equal(routes);
  });

  for (const [route, file] of Object.entries(COVERED_BY)) {
    it(`call ${route} in ${file}`, () => {
      const text = readFileSync(join(PACKAGE_ROOT, 'test/api', `${file}.test.ts`), 'utf8');
      const [, path = ''] = route.split(' ');
      // Up to the first parameter, whose place a real identifier takes.
      expect(text).to.include(path.replace(/:.*$/, ''));
    });
  }
});
