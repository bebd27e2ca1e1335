/** The API description is true: it names what is served, with the rule that the gateway enforces. */

import { expect } from 'chai';
import type { Configuration } from '../../gateway/configuration/configuration.ts';
import { API_ROUTES } from '../../gateway/process/compose/api-description.ts';
import { healthRoutes } from '../../gateway/serve/health-routes.ts';
import { DATASETS } from '../../services/query/datasets/index.ts';
import { ERRORS } from '../../services/shared/errors/catalogue.ts';
import type { RouteRule } from '../../services/shared/http/route.ts';
import type { Endpoint } from '../../services/shared/plans/endpoint.ts';
import type { LimitRule } from '../../services/shared/plans/plans.ts';
import {
  type Document,
  describedBy,
  type Operation,
  operationsOf,
  resolved,
  shippedConfiguration,
} from '../support/shipped-description.ts';

/** What the configuration calls a rule. */
function accessOf(rule: RouteRule): Endpoint['access'] {
  if (rule === 'public') return 'public';
  if ('roles' in rule) return 'session';
  return rule.keyless === true ? 'keyless' : 'scoped';
}

/** Endpoints that are no part of the API: the catch-all, and pages with the way to them. */
const UNDESCRIBED = ['unmatched', 'dashboard', 'home', 'share-files'];

describe('the API description', () => {
  let document: Document;
  let operations: ReadonlyMap<string, Operation>;
  let configuration: Configuration;

  before(async () => {
    configuration = await shippedConfiguration();
    document = describedBy(configuration);
    operations = operationsOf(document);
  });

  it('describes what the configuration serves and what the gateway answers before it, no less and no more', () => {
    const served = configuration.endpoints
      .filter(({ name }) => !UNDESCRIBED.includes(name))
      .flatMap(({ paths, methods }) =>
        paths.flatMap((path) => methods?.map((method) => `${method} ${path}`)),
      );
    const own = ['GET /health', 'GET /health/ready'];
    expect([...operations.keys()].sort()).to.deep.equal([...served, ...own].sort());
    const routes = [...API_ROUTES, ...healthRoutes].map(({ method, path }) => `${method} ${path}`);
    expect([...operations.keys()].sort()).to.deep.equal(routes.sort());
    const ids = [...operations.values()].map(({ operationId }) => operationId);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('shows quotas, limits in shadow and their headers, and the standard fields where they are on', () => {
    const limits = {
      ...configuration.plans.limits,
      'custom-sql': {
        ...(configuration.plans.limits['custom-sql'] as LimitRule),
        ...({ windowSeconds: undefined, window: 'day', enforce: false } as const),
      },
    };
    const plans = { ...configuration.plans, limits, standardFields: true };
    const changed = describedBy({ ...configuration, plans });
    const text = JSON.stringify(operationsOf(changed).get('POST /v1/query/custom'));
    expect(text).to.contain('"name":"custom-sql","callers":"known","limit":30,"window":"day"');
    expect(text).to.contain('"enforced":false').and.contain('in shadow: it refuses nobody');
    for (const name of ['X-RateLimit-Shadow', 'RateLimit-Policy', 'RateLimit']) {
      expect(text, name).to.contain(`#/components/headers/${name}"`);
      expect(JSON.stringify(document), name).to.not.contain(`#/components/headers/${name}"`);
    }
  });

  it('leaves out what another configuration does not serve, and tells its limits', () => {
    const endpoints = configuration.endpoints
      .filter(({ name }) => name !== 'tracker')
      .map((endpoint) => (endpoint.name === 'query-types' ? { ...endpoint, limits: ['login'] } : endpoint));
    const changed = operationsOf(describedBy({ ...configuration, endpoints }));
    const missing = [...operations.keys()].filter((name) => !changed.has(name));
    expect(missing).to.deep.equal(['GET /tracker.js']);
    expect(changed.get('GET /v1/query/types')?.['x-rate-limits']).to.deep.include({
      name: 'login',
      callers: 'anonymous',
      limit: 30,
      windowSeconds: 60,
      per: 'address',
      counts: 'request',
    });
  });

  it('tells the rules and sizes of the configuration in force', () => {
    const endpoints = configuration.endpoints.map((endpoint) =>
      endpoint.name === 'links-create' ? { ...endpoint, scopes: ['read:links'] as const } : endpoint,
    );
    const pipelines = configuration.pipelines.map((pipeline) => ({
      ...pipeline,
      steps: pipeline.steps.map((step) =>
        step.policy === 'body' ? { ...step, parameters: { ...step.parameters, maxBytes: 4_321 } } : step,
      ),
    }));
    const changed = operationsOf(describedBy({ ...configuration, endpoints, pipelines })).get(
      'POST /v1/links',
    );
    expect(changed?.['x-scopes']).to.deep.equal(['read:links']);
    expect(changed?.description).to.include('Scope: read:links.');
    expect(JSON.stringify(changed?.requestBody)).to.include('At most 4321 bytes.');
  });

  it('tells every limit of an operation, in numbers and in words', () => {
    const { plans } = configuration;
    for (const { name, access, plan, paths, methods, limits } of configuration.endpoints) {
      for (const route of paths.flatMap((path) => (methods ?? []).map((method) => `${method} ${path}`))) {
        if (UNDESCRIBED.includes(name)) continue;
        const operation = operations.get(route);
        const told = operation?.['x-rate-limits'] ?? [];
        for (const limit of limits) {
          const { limit: most, windowSeconds } = plans.limits[limit] ?? {};
          const found = told.find((one) => one.name === limit);
          expect(found, `${route} ${limit}`).to.include({ limit: most, windowSeconds });
          expect(operation?.description).to.include(`\`${limit}\`, ${most} `);
        }
        expect(told.some((one) => one.name === 'plan')).to.equal(
          access !== 'public' && plan !== 'none',
          route,
        );
        if (limits.length === 0)
          expect(told.some((one) => one.name === 'public' && one.callers === 'anonymous')).to.equal(true);
      }
    }
  });

  it('lets route and configuration agree on method, scopes and public access', () => {
    for (const route of API_ROUTES) {
      const endpoint = configuration.endpoints.find(
        ({ paths, methods }) =>
          paths.includes(route.path) && methods?.some((method) => method === route.method),
      );
      expect(endpoint, `${route.method} ${route.path} in gateway.config.yml`).to.not.equal(undefined);
      const { rule } = route;
      expect(endpoint?.access).to.equal(accessOf(rule));
      expect(endpoint?.scopes).to.deep.equal(rule !== 'public' && 'scopes' in rule ? [...rule.scopes] : []);
      const described = operations.get(`${route.method} ${route.path}`);
      expect(described?.['x-scopes-under']).to.deep.equal(endpoint?.scopesUnder);
      if (endpoint?.scopesUnder) expect(rule).to.deep.include({ decidedBy: 'handler' });
      expect(endpoint?.roles).to.deep.equal(rule !== 'public' && 'roles' in rule ? [...rule.roles] : []);
    }
  });

  it('describes the header that names the website, and the bounds of timestamp and name', () => {
    for (const path of ['/track', '/events', '/identify', '/batch', '/', '/px.gif']) {
      const [operation] = Object.values(document.paths[path] ?? {});
      const parameters = operation?.parameters?.map((one) => resolved(document, one));
      expect(
        parameters?.map((parameter) => `${parameter.in} ${parameter.name}`),
        path,
      ).to.include('header databuddy-client-id');
    }
    const track = JSON.stringify(document.components.schemas?.TrackEventsRequest);
    expect(track).to.include('from 2000-01-01 to an hour from now').and.include('1 to 256 characters');
  });

  it('describes every dataset under every one of its names', () => {
    const description = operations.get('POST /v1/query')?.description ?? '';
    for (const { names, kind, description: what } of DATASETS) {
      const line = `- ${names.map((name) => `\`${name}\``).join(', ')} (${kind}): ${what}`;
      expect(description.split('\n')).to.include(line);
    }
  });

  it('names a description for every group', () => {
    const used = new Set([...operations.values()].flatMap(({ tags }) => tags));
    expect(document.tags.map(({ name }) => name)).to.have.members([...used]);
  });

  it('knows exactly the codes of the catalogue', () => {
    const codes = new Set(Object.values(ERRORS).map(({ code }) => code));
    const error = document.components.schemas?.Error as { properties: { code: { enum: string[] } } };
    expect(new Set(error.properties.code.enum)).to.deep.equal(codes);
  });
});
