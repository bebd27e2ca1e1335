/** The API description is well-formed, and its examples, headers and parameters say what is sent. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { z } from 'zod';
import { API_ROUTES } from '../../gateway/process/compose/api-description.ts';
import { ERRORS } from '../../services/shared/errors/catalogue.ts';
import {
  type Content,
  type Document,
  describedBy,
  type JsonObject,
  type Operation,
  operationsOf,
  type Response,
  resolved,
  shippedConfiguration,
} from '../support/shipped-description.ts';

const COMMON_HEADERS = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

describe('the document of the API', () => {
  let document: Document;
  let operations: ReadonlyMap<string, Operation>;

  before(async () => {
    document = describedBy(await shippedConfiguration());
    operations = operationsOf(document);
  });

  /** Each response of each operation. */
  function responses(): { name: string; route: string; status: number; response: Response }[] {
    return [...operations].flatMap(([route, operation]) =>
      Object.entries(operation.responses).map(([status, response]) => ({
        name: `${operation.operationId} ${status}`,
        route,
        status: Number(status),
        response: resolved<Response>(document, response),
      })),
    );
  }

  /** By their text: most answers have those of others. */
  const schemas = new Map<string, z.ZodType>();
  /** A schema of the document, with those that it refers to. */
  function schemaOf({ schema }: Content): z.ZodType {
    const definitions: Record<string, unknown> = {};
    const take = (value: unknown): void => {
      for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
        if (name in definitions) continue;
        definitions[name] = document.components.schemas?.[name];
        take(definitions[name]);
      }
    };
    take(schema);
    const text = JSON.stringify({ ...schema, $defs: definitions });
    const known = schemas.get(text);
    if (known !== undefined) return known;
    const made = z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')));
    schemas.set(text, made);
    return made;
  }

  function expectExamples(name: string, content: Content): void {
    const named = Object.values(content.examples ?? {}).map(
      (one) => resolved<{ value: unknown }>(document, one).value,
    );
    const examples = 'example' in content ? [content.example, ...named] : named;
    expect(examples, name).to.not.have.length(0);
    for (const example of examples) {
      const { error } = schemaOf(content).safeParse(example);
      expect(error && z.prettifyError(error), name).to.equal(undefined);
    }
  }

  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate({ ...structuredClone(document) });
    expect(errors).to.equal(undefined);
    expect(valid).to.equal(true);
    expect(validator.version).to.equal('3.1');
  });

  it('gives an example of every body and of every JSON answer that its schemas accept', () => {
    for (const { name, response } of responses()) {
      const content = response.content?.['application/json'];
      if (content) expectExamples(name, content);
    }
    for (const { operationId, requestBody } of operations.values()) {
      for (const content of Object.values(requestBody?.content ?? {})) expectExamples(operationId, content);
    }
    for (const { body, success, operationId } of API_ROUTES) {
      if (body) expect(body.schema.safeParse(body.example).error, operationId).to.equal(undefined);
      expect(success.schema.safeParse(success.example).error, operationId).to.equal(undefined);
    }
  });

  it('gives an example of every error code that an operation may answer', () => {
    for (const { name, status, response } of responses()) {
      if (status < 400) continue;
      const { schema, examples = {} }: Content = response.content?.['application/json'] ?? { schema: {} };
      const shown = Object.values(examples).map(
        (one) => (resolved<{ value: unknown }>(document, one).value as { code: string }).code,
      );
      const [, own] = schema.allOf as readonly [JsonObject, { properties: { code: { enum: string[] } } }];
      expect(new Set(shown), name).to.deep.equal(new Set(own.properties.code.enum));
      for (const code of shown) {
        const statuses = Object.values(ERRORS)
          .filter((entry) => entry.code === code)
          .map((entry) => entry.status);
        expect(statuses, name).to.include(status);
      }
    }
  });

  it('names every error of a route, and what its rule, its body and its limits bring', () => {
    for (const route of API_ROUTES) {
      const operation = operations.get(`${route.method} ${route.path}`) as Operation;
      const expected = new Set<number>([400, 429, 500, ...route.errors.map((kind) => ERRORS[kind].status)]);
      if (route.rule !== 'public') for (const status of [401, 403]) expected.add(status);
      if (route.body) for (const status of [413, 415]) expected.add(status);
      expect(Object.keys(operation.responses).map(Number), route.operationId).to.include.members([
        ...expected,
      ]);
      expect(operation.responses, route.operationId).to.not.have.any.keys('405', 'default');
    }
  });

  it('names the headers that come: of all answers, of limits, of credentials, of what was created', () => {
    for (const { name, status, response } of responses()) {
      const headers = Object.keys(response.headers ?? {});
      expect(headers, name).to.include.members(COMMON_HEADERS);
      if (status === 401) expect(headers, name).to.include('WWW-Authenticate');
      if (status === 429 || status === 503) expect(headers, name).to.include('Retry-After');
      if (status === 201) expect(headers, name).to.include('Location');
    }
  });

  it('says If-Match where a version is asked for, and ETag where it is told', () => {
    const asking = API_ROUTES.filter(({ errors }) => errors.includes('PRECONDITION_FAILED'));
    expect(asking.length).to.be.greaterThan(3);
    for (const { method, path, success } of asking) {
      const operation = operations.get(`${method} ${path}`);
      expect(operation?.parameters, path).to.deep.include({ $ref: '#/components/parameters/IfMatch' });
      const answer = operation?.responses[success.status] as Response;
      if (success.status !== 204) expect(answer.headers, path).to.include.keys('ETag');
      const read = operations.get(`GET ${path}`)?.responses[200] as Response | undefined;
      if (read) expect(read.headers, path).to.include.keys('ETag');
    }
  });

  it('names the page that some get in place of a redirect', () => {
    const { responses: described } = operations.get('GET /:slug') as Operation;
    expect(described[302]).to.have.nested.property('headers.Location');
    expect(described[200]).to.not.have.nested.property('headers.Location');
    expect(described[200])
      .to.have.property('content')
      .that.deep.equals({ 'text/html': { schema: { type: 'string' } } });
  });

  it('describes each path parameter', () => {
    for (const [route, { parameters = [] }] of operations) {
      const named = [...route.matchAll(/:(\w+)/g)].map(([, name]) => name);
      const described = parameters
        .map((one) => resolved<{ name: string; in: string }>(document, one))
        .filter((one) => one.in === 'path');
      expect(
        described.map(({ name }) => name),
        route,
      ).to.deep.equal(named);
    }
  });

  it('refers to what it holds, and holds nothing that nobody refers to', () => {
    const text = JSON.stringify(document);
    const references = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, path]) => path),
    );
    const held = Object.entries(document.components)
      .filter(([section]) => section !== 'securitySchemes')
      .flatMap(([section, parts]) => Object.keys(parts).map((name) => `${section}/${name}`));
    expect([...references].sort()).to.deep.equal(held.sort());
  });

  it('holds no large schema twice', () => {
    const texts = new Map<string, number>();
    const walk = (value: unknown): void => {
      if (value === null || typeof value !== 'object') return;
      if ('properties' in value && JSON.stringify(value).length > 400) {
        const text = JSON.stringify(value);
        texts.set(text, (texts.get(text) ?? 0) + 1);
      }
      for (const part of Object.values(value)) walk(part);
    };
    walk(document.paths);
    walk(document.components.schemas);
    expect([...texts].filter(([, times]) => times > 1)).to.deep.equal([]);
  });
});
