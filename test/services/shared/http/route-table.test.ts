/** The table of a service's routes: the first declared path that matches wins, as with express before. */
import { expect } from 'chai';
import { z } from 'zod';
import { queryRoutes } from '../../../../services/query/routes.ts';
import { resourcesRoutes } from '../../../../services/resources/routes.ts';
import { defineRoute, type Route } from '../../../../services/shared/http/route.ts';
import { createMatchRoute } from '../../../../services/shared/http/route-table.ts';
import { trackingRoutes } from '../../../../services/tracking/routes.ts';

function route(method: 'GET' | 'POST' | 'DELETE', path: string): Route<unknown> {
  return defineRoute({
    operationId: `${method} ${path}`,
    method,
    path,
    rule: 'public',
    summary: path,
    description: path,
    tags: [],
    success: { status: 200, schema: z.unknown(), example: null },
    errors: [],
    handler: async () => ({}),
  });
}

describe('the table of routes', () => {
  const match = createMatchRoute([
    route('GET', '/a/:id'),
    route('POST', '/a/:id'),
    route('GET', '/a/new'),
    route('GET', '/b/new'),
    route('POST', '/b/:id/:part'),
    route('GET', '/:slug'),
    route('POST', '/form'),
  ]);
  const found = (method: string, path: string) => {
    const known = match(method, path);
    return known && [known.route?.operationId ?? null, known.params, known.allow];
  };

  it('finds a route by method and path, HEAD as GET, with its parameters decoded', () => {
    expect(found('GET', '/b/new')).to.deep.equal(['GET /b/new', {}, 'GET, HEAD']);
    expect(found('HEAD', '/b/new')?.[0]).to.equal('GET /b/new');
    expect(found('POST', '/b/x%20y/%C3%BC')?.slice(0, 2)).to.deep.equal([
      'POST /b/:id/:part',
      { id: 'x y', part: 'ü' },
    ]);
  });

  it('takes the path that is declared first', () => {
    expect(found('GET', '/a/new')).to.deep.equal(['GET /a/:id', { id: 'new' }, 'GET, HEAD, POST']);
  });

  it('knows a path without the method, but for one that is only a parameter', () => {
    expect(found('DELETE', '/a/1')).to.deep.equal([null, { id: '1' }, 'GET, HEAD, POST']);
    expect(found('DELETE', '/anything')).to.equal(null);
    expect(found('POST', '/form')?.[0]).to.equal('POST /form');
    expect(found('GET', '/form')?.[0]).to.equal('GET /:slug');
  });

  it('knows no path in another case, with another slash, without a parameter or not decodable', () => {
    for (const path of ['/A/1', '/a/1/', '/a/', '/a', '//a/1', '/a/%zz', '/b/new/', ''])
      expect(found('POST', path), path).to.equal(null);
  });

  it('refuses two routes of one method and path', () => {
    expect(() => createMatchRoute([route('GET', '/a'), route('GET', '/a')])).to.throw('two routes');
  });

  it('finds every route of every service', () => {
    for (const routes of [queryRoutes, resourcesRoutes, trackingRoutes] as unknown as Route<unknown>[][]) {
      const matchRoute = createMatchRoute(routes);
      for (const each of routes) {
        const path = each.path.replaceAll(/:[^/]+/g, 'x');
        expect(matchRoute(each.method, path)?.route, `${each.method} ${path}`).to.equal(each);
      }
    }
  });
});
