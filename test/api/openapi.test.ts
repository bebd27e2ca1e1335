/** The API description is true: it names what is served, with the rule that the gateway enforces. */

import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { API_ROUTES, apiDescription } from '../../gateway/api-description.ts';
import type { ApiEndpoint } from '../../gateway/configuration/configuration.ts';
import { loadConfiguration } from '../../gateway/configuration/load-configuration.ts';
import { configurationVariables, UNSTARTED_SERVICE_URLS } from '../../gateway/configuration-variables.ts';
import { DATASETS } from '../../services/query/datasets/index.ts';
import { ERRORS } from '../../services/shared/errors/catalogue.ts';
import type { RouteRule } from '../../services/shared/http/route.ts';
import type { Endpoint } from '../../services/shared/plugin/endpoint.ts';

/** What the configuration calls a rule. */
function accessOf(rule: RouteRule): Endpoint['access'] {
  if (rule === 'public') return 'public';
  if ('roles' in rule) return 'session';
  return rule.keyless === true ? 'keyless' : 'scoped';
}

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly 'x-scopes'?: string[];
  readonly responses: Record<string, { headers?: object; content?: object }>;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { content: Record<string, { example: unknown }> };
}

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: { Error: { properties: { code: { enum: string[] } } } } };
}

describe('the API description', () => {
  let document: Document;
  let operations: readonly Operation[];
  let endpoints: readonly ApiEndpoint[];

  before(async () => {
    const variables = configurationVariables(UNSTARTED_SERVICE_URLS);
    const configuration = await loadConfiguration(join(PACKAGE_ROOT, 'config'), variables);
    endpoints = configuration.endpoints;
    document = JSON.parse(apiDescription(configuration));
    operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  });

  it('describes every route of every service, and every route of the configuration', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const asTemplate = (path: string) => path.replace(/:(\w+)/g, '{$1}');
    for (const route of API_ROUTES) expect(described).to.include(`${route.method} ${asTemplate(route.path)}`);
    for (const endpoint of endpoints) {
      if (endpoint.name === 'unmatched') continue;
      for (const path of endpoint.paths) {
        for (const method of endpoint.methods ?? [])
          expect(described).to.include(`${method} ${asTemplate(path)}`);
      }
    }
    expect(new Set(operations.map(({ operationId }) => operationId)).size).to.equal(operations.length);
  });

  it('lets route and configuration agree on method, scopes and public access', () => {
    for (const route of API_ROUTES) {
      const endpoint = endpoints.find(
        ({ paths, methods }) =>
          paths.includes(route.path) && methods?.some((method) => method === route.method),
      );
      expect(endpoint, `${route.method} ${route.path} in gateway.config.yml`).to.not.equal(undefined);
      const { rule } = route;
      expect(endpoint?.access).to.equal(accessOf(rule));
      expect(endpoint?.scopes).to.deep.equal(rule !== 'public' && 'scopes' in rule ? [...rule.scopes] : []);
      expect(endpoint?.scopesUnder).to.deep.equal(
        rule !== 'public' && 'scopes' in rule ? rule.scopesUnder : undefined,
      );
      expect(endpoint?.roles).to.deep.equal(rule !== 'public' && 'roles' in rule ? [...rule.roles] : []);
    }
  });

  it('describes the header that names the website, and the bounds of timestamp and name', () => {
    for (const path of ['/track', '/events', '/identify', '/batch', '/', '/px.gif']) {
      const [operation] = Object.values(document.paths[path] ?? {});
      expect(
        operation?.parameters?.map((parameter) => `${parameter.in} ${parameter.name}`),
        path,
      ).to.include('header databuddy-client-id');
    }
    const track = JSON.stringify(document.paths['/track']?.post?.requestBody);
    expect(track).to.include('from 2000-01-01 to an hour from now').and.include('1 to 256 characters');
  });

  it('describes every dataset under every one of its names', () => {
    const description = operations.find(({ operationId }) => operationId === 'query')?.description ?? '';
    for (const { names, kind, description: what } of DATASETS) {
      const line = `- ${names.map((name) => `\`${name}\``).join(', ')} (${kind}): ${what}`;
      expect(description.split('\n')).to.include(line);
    }
  });

  it('gives every response the common headers, and every error a body', () => {
    for (const { operationId, responses } of operations) {
      for (const [status, response] of Object.entries(responses)) {
        expect(Object.keys(response.headers ?? {}), `${operationId} ${status}`).to.include(
          'X-RateLimit-Limit',
        );
        if (Number(status) >= 400)
          expect(response.content, `${operationId} ${status}`).to.have.key('application/json');
      }
    }
  });

  it('knows exactly the codes of the catalogue', () => {
    const codes = new Set(Object.values(ERRORS).map(({ code }) => code));
    expect(new Set(document.components.schemas.Error.properties.code.enum)).to.deep.equal(codes);
  });

  it('gives examples that its own schemas accept', () => {
    for (const route of API_ROUTES) {
      if (route.body)
        expect(route.body.schema.safeParse(route.body.example).error, route.operationId).to.equal(undefined);
      const success = route.success.schema.safeParse(route.success.example);
      expect(success.error, route.operationId).to.equal(undefined);
    }
  });
});
