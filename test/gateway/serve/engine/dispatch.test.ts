/** What the dispatch table takes and what it leaves to express: it may never answer in place of an endpoint that express holds. */
import { expect } from 'chai';
import type { ApiEndpoint } from '../../../../gateway/configuration/configuration.ts';
import { compileDispatchTable } from '../../../../gateway/serve/engine/dispatch-table.ts';
import { createExpressPaths } from '../../../../gateway/serve/engine/express-paths.ts';

function endpoint(own: Partial<ApiEndpoint>): ApiEndpoint {
  return {
    name: 'one',
    paths: [],
    methods: null,
    access: 'public',
    scopes: [],
    roles: [],
    class: 'other',
    limits: [],
    cost: 'request',
    countedList: null,
    cors: 'own',
    endedSession: 'refused',
    host: null,
    hostRegex: null,
    pathRegex: null,
    pipeline: 'all',
    place: { file: 'gateway.config.yml', line: 1 },
    routes: [],
    ...own,
  };
}

describe('dispatch table', () => {
  const table = compileDispatchTable(
    [
      endpoint({ name: 'links', paths: ['/links/:id', '/links/:id/clicks'] }),
      endpoint({ name: 'rest', paths: ['/*'] }),
    ].map((one) => ({ endpoint: one, handlers: [] })),
  );

  it('does not take nothing for a parameter', () => {
    expect(table.match('GET', '/links/abc')?.endpoint.name).to.equal('links');
    expect(table.match('GET', '/links/abc/clicks')?.endpoint.name).to.equal('links');
    for (const path of ['/links/', '/links//clicks', '/links'])
      expect(table.match('GET', path), path).to.equal(null);
  });
});

describe('dispatch table, parameters of a form', () => {
  const table = compileDispatchTable(
    [
      endpoint({ name: 'track', paths: ['/track'], methods: ['POST'] }),
      endpoint({ name: 'slug', paths: ['/:slug'], methods: ['GET'], parameterPattern: '[a-z]{3,5}' }),
      endpoint({ name: 'rest', paths: ['/*'] }),
    ].map((one) => ({ endpoint: one, handlers: [] })),
  );

  it('takes what has the form, by its methods alone: everything else is an unknown path', () => {
    for (const method of ['GET', 'HEAD']) expect(table.match(method, '/abc')?.endpoint.name).to.equal('slug');
    for (const path of ['/ab', '/abcdef', '/Abc', '/ab-c', '/abc/', '/']) {
      expect(table.match('GET', path), path).to.equal(null);
    }
    for (const method of ['POST', 'DELETE']) expect(table.match(method, '/abc')).to.equal(null);
  });

  it('leaves a fixed path its 405', () => {
    expect(table.match('GET', '/track')?.endpoint.allow).to.deep.equal(['POST']);
  });
});

describe('paths of express', () => {
  const endpointsOf = createExpressPaths([
    endpoint({ paths: ['/reports/special', '/files/:name/raw', '/v1.0'] }),
    endpoint({ host: 'admin.example.com', paths: ['/admin/*'] }),
    endpoint({ pathRegex: '^/exports-[0-9]+$' }),
  ]);

  it('are all that an endpoint on express may answer, as express matches', () => {
    for (const path of [
      '/reports/special',
      '/Reports/SPECIAL/',
      '/files/a/raw',
      '/v1.0',
      '/admin/',
      '/admin/a/b',
      '/exports-12',
    ]) {
      expect(
        endpointsOf(path).map(({ name }) => name),
        path,
      ).to.deep.equal(['one']);
    }
  });

  it('are no others', () => {
    for (const path of [
      '/reports',
      '/reports/special/more',
      '/files//raw',
      '/files/a/b/raw',
      '/v100',
      '/administer',
      '/exports-',
    ]) {
      expect(endpointsOf(path), path).to.deep.equal([]);
    }
  });
});
