/** Which routes of our own services an endpoint opens, and what the check says of paths without a route and routes without an endpoint. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { ConfigurationError, formatFault } from '../../../gateway/configuration/faults.ts';
import { loadConfiguration } from '../../../gateway/configuration/load-configuration.ts';
import { OWN_ROUTES, openedRoutes } from '../../../gateway/configuration/own-routes.ts';
import { configurationVariables } from '../../../gateway/process/reload/configuration-variables.ts';
import { routeName } from '../../../services/shared/http/route.ts';

const VARIABLES = configurationVariables({
  tracking: 'http://127.0.0.1:4001',
  query: 'http://127.0.0.1:4002',
  resources: 'http://127.0.0.1:4003',
});

describe('the routes that an endpoint opens', () => {
  const opens = (paths: string[], methods: ('GET' | 'HEAD' | 'POST' | 'PATCH')[] | null = null) =>
    openedRoutes({ paths, methods }, 'resources').routes;

  it('are those at its paths, for its methods, whatever the parameters are called', () => {
    expect(opens(['/v1/links'], ['GET'])).to.deep.equal(['GET /v1/links']);
    expect(opens(['/v1/links/:name'], ['GET', 'PATCH'])).to.have.members([
      'GET /v1/links/:id',
      'PATCH /v1/links/:id',
    ]);
    expect(opens(['/v1/links/:id'])).to.have.members([
      'GET /v1/links/:id',
      'PATCH /v1/links/:id',
      'DELETE /v1/links/:id',
    ]);
    expect(opens(['/v1/links'], ['HEAD'])).to.deep.equal(['GET /v1/links']);
  });

  it('are that of a parameter too, where the endpoint names one value of it', () => {
    expect(opens(['/v1/links/lnk_1'], ['GET'])).to.deep.equal(['GET /v1/links/:id']);
  });

  it('are none beside a parameter of the endpoint: it stands for no other name', () => {
    expect(openedRoutes({ paths: ['/:slug'], methods: ['GET'] }, 'tracking')).to.deep.equal({
      routes: ['GET /:slug'],
      withoutRoute: [],
    });
    expect(opens(['/v1/:kind'])).to.deep.equal([]);
    expect(opens(['/v1/:kind/:id'])).to.deep.equal([]);
  });

  it('are the most specific at one path, and all below an open one', () => {
    expect(openedRoutes({ paths: ['/tracker.js'], methods: ['GET'] }, 'tracking').routes).to.deep.equal([
      'GET /tracker.js',
    ]);
    expect(opens(['/v1/links/*'])).to.have.members([...opens(['/v1/links/:id']), 'GET /v1/links/slug']);
    expect(opens(['/*'])).to.have.members(OWN_ROUTES.resources.map(routeName));
  });

  it('are none of another spelling, depth or method', () => {
    for (const asked of ['/v1/Links', '/v1/links/', '/v1/links/:id/more', '/v2/links', '/']) {
      expect(openedRoutes({ paths: [asked], methods: null }, 'resources'), asked).to.deep.equal({
        routes: [],
        withoutRoute: [asked],
      });
    }
    expect(openedRoutes({ paths: ['/v1/audit'], methods: ['POST'] }, 'resources').withoutRoute).to.deep.equal(
      ['/v1/audit'],
    );
  });
});

describe('the check of routes', () => {
  let directory = '';
  const edit = (from: string, to: string) => {
    const file = path.join(directory, 'gateway.config.yml');
    const before = readFileSync(file, 'utf8');
    expect(before).to.include(from);
    writeFileSync(file, before.replace(from, to));
    return before.slice(0, before.indexOf(from)).split('\n').length;
  };
  const faults = () =>
    loadConfiguration(directory, VARIABLES).then(
      () => [],
      (fault: unknown) => {
        if (!(fault instanceof ConfigurationError)) throw fault;
        return fault.faults.map(formatFault);
      },
    );

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'tidegate-routes-'));
    cpSync(path.join(PACKAGE_ROOT, 'config'), directory, { recursive: true });
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('finds an endpoint for every route of the shipped configuration', async () => {
    const { warnings, endpoints } = await loadConfiguration(directory, VARIABLES);
    expect(warnings.map(formatFault)).to.deep.equal([]);
    const opened = endpoints.flatMap(({ routes }) => routes);
    const known = Object.values(OWN_ROUTES).flatMap((routes) => routes.map(routeName));
    expect([...opened].sort()).to.deep.equal([...known].sort());
  });

  it('refuses an endpoint of ours without a route, and names the nearest', async () => {
    const line = edit('paths: "/v1/integrations/:id"', 'paths: "/v1/integration/:id"');
    expect(await faults()).to.deep.equal([
      `gateway.config.yml:${line} apiEndpoints.integration.paths: GET, PATCH, DELETE /v1/integration/:id: the resources service has no such route; did you mean "DELETE /v1/integrations/:id"?`,
    ]);
  });

  it('warns of a path without a route beside others', async () => {
    const line = edit('paths: [/v1/links, "/v1/links/:id"]', 'paths: [/v1/links, "/v1/linkz/:id"]');
    const { warnings } = await loadConfiguration(directory, VARIABLES);
    expect(warnings.map(formatFault)).to.deep.equal([
      `gateway.config.yml:${line} apiEndpoints.links-read.paths: GET /v1/linkz/:id: the resources service has no such route; did you mean "GET /v1/links/:id"?`,
      'gateway.config.yml:18 apiEndpoints: no endpoint leads to GET /v1/links/:id of the resources service, so nobody can call it',
    ]);
  });

  it('refuses a method that the route does not have, and a path of the session policy that it does not answer', async () => {
    edit('paths: /v1/audit\n    methods: GET', 'paths: /v1/audit\n    methods: DELETE');
    edit('paths: /v1/auth/refresh', 'paths: /v1/auth/refreshed');
    expect((await faults()).map((fault) => fault.replace(/^[^ ]+ /, ''))).to.deep.equal([
      'apiEndpoints.session-refresh.paths: POST /v1/auth/refreshed: the policy session has no such route; did you mean "POST /v1/auth/refresh"?',
      'apiEndpoints.audit.paths: DELETE /v1/audit: the resources service has no such route; did you mean "GET /v1/audit"?',
    ]);
  });

  it('refuses to open what gives or takes access to keys or to anybody', async () => {
    const members = 'paths: /v1/members\n    methods: [GET, POST]\n    ';
    edit(`${members}access: session\n    roles: [owner, admin]`, `${members}scopes: [manage:config]`);
    const password = 'paths: [/v1/auth/switch, /v1/auth/password]\n    methods: POST\n    ';
    edit(
      `${password}access: session\n    roles: [owner, admin, member, viewer]`,
      `${password}access: public`,
    );
    edit(
      'paths: /v1/audit\n    methods: GET\n    access: session\n    roles: [owner, admin]',
      'paths: /v1/audit\n    methods: GET\n    scopes: [manage:config]',
    );
    expect((await faults()).map((fault) => fault.replace(/^[^ ]+ /, ''))).to.deep.equal([
      'apiEndpoints.session-change: POST /v1/auth/switch, POST /v1/auth/password: answered to sessions alone, because keys may not give, take or audit access; allowed: access: session with roles',
      'apiEndpoints.members: GET /v1/members, POST /v1/members: answered to sessions alone, because keys may not give, take or audit access; allowed: access: session with roles',
      'apiEndpoints.audit: GET /v1/audit: answered to sessions alone, because keys may not give, take or audit access; allowed: access: session with roles',
    ]);
  });

  it('takes a general endpoint for keys behind those of sessions, and names what no other answers', async () => {
    edit('  openapi:\n', '  everything:\n    paths: /v1/*\n    scopes: [manage:config]\n  openapi:\n');
    edit(', member-acts, audit]', ', member-acts, audit, everything]');
    expect(await faults()).to.deep.equal([]);
    edit('paths: /v1/members\n    methods: [GET, POST]', 'paths: /v1/members\n    methods: GET');
    expect((await faults()).map((fault) => fault.replace(/^[^ ]+ /, ''))).to.deep.equal([
      'apiEndpoints.everything: POST /v1/members: answered to sessions alone, because keys may not give, take or audit access; allowed: access: session with roles',
    ]);
  });

  it('refuses a regular expression before a service of ours: which routes it opens is unknown', async () => {
    edit('    paths: /v1/audit\n    methods: GET', '    pathRegex: ^/v1/audit$\n    methods: GET');
    expect((await faults()).map((fault) => fault.replace(/^[^ ]+ /, ''))).to.deep.equal([
      'apiEndpoints.audit.pathRegex: cannot lead to the resources service, which answers named paths alone; allowed: paths, an endpoint of a foreign backend',
    ]);
  });

  it('warns of routes to which no endpoint leads, so that an older configuration starts', async () => {
    edit(
      '  audit:\n    paths: /v1/audit\n    methods: GET\n    access: session\n    roles: [owner, admin]\n',
      '',
    );
    edit(', member-acts, audit]', ', member-acts]');
    edit(
      'methods: [GET, PATCH, DELETE]\n    scopes: [manage:flags]',
      'methods: [GET, PATCH]\n    scopes: [manage:flags]',
    );
    const { warnings } = await loadConfiguration(directory, VARIABLES);
    expect(warnings.map(({ text }) => text)).to.deep.equal([
      'no endpoint leads to GET /v1/audit, DELETE /v1/flags/:id, DELETE /v1/target-groups/:id of the resources service, so nobody can call them',
    ]);
  });
});
