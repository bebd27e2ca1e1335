/** What backends of the platform's own say of themselves in /openapi.json: what endpoints reach, with the rules in force. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { stringify } from 'yaml';
import type { Configuration } from '../../../gateway/configuration/configuration.ts';
import { ConfigurationError, formatFault } from '../../../gateway/configuration/faults.ts';
import { loadConfiguration } from '../../../gateway/configuration/load-configuration.ts';
import {
  configurationVariables,
  UNSTARTED_SERVICE_URLS,
} from '../../../gateway/process/reload/configuration-variables.ts';
import { type ForeignBackend, withForeignBackends } from '../../support/foreign-backends.ts';
import { ISSUER } from '../../support/identity-provider.ts';
import { type Document, describedBy, type Operation, resolved } from '../../support/shipped-description.ts';
import { jwtStep } from '../../support/start-jwt-gateway.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

type Json = Record<string, unknown>;

const answer = (schema: unknown): Json => ({
  responses: { 200: { description: 'Fine.', content: { 'application/json': { schema } } } },
});
const ORDER = { $ref: '#/components/schemas/Order' };
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 9 } };
const ORDERS: Json = {
  openapi: '3.1.0',
  info: { title: 'Orders of the shop', version: '7' },
  security: [{ theirs: [] }],
  paths: {
    '/orders': {
      get: {
        operationId: 'list',
        summary: 'Lists.',
        description: 'All of them.',
        ...answer({ type: 'array', items: ORDER }),
      },
      post: {
        operationId: 'create',
        security: [{ theirs: [] }],
        requestBody: { $ref: '#/components/requestBodies/Order' },
        ...answer(ORDER),
      },
    },
    '/orders/{id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      get: {
        operationId: 'read',
        parameters: [{ name: 'deep', in: 'query', schema: { type: 'boolean' } }],
        responses: {
          ...(answer(ORDER).responses as Json),
          404: { $ref: '#/components/responses/NoOrder' },
        },
      },
    },
    '/admin/flush': { post: { ...answer({}), operationId: 'flush' } },
  },
  components: {
    securitySchemes: { theirs: { type: 'http', scheme: 'basic' } },
    schemas: {
      Order: {
        type: 'object',
        properties: { id: { type: 'string' }, parent: ORDER, kind: { $ref: '#/components/schemas/Error' } },
        example: { $ref: '#/as/it/is' },
      },
      // A name that the document of Tidegate has too.
      Error: { type: 'string', enum: ['order'] },
      Unused: { type: 'string' },
    },
    parameters: { Id: ID },
    requestBodies: {
      Order: { description: 'An order.', required: true, content: { 'application/json': { schema: ORDER } } },
    },
    responses: { NoOrder: { description: 'No such order.' } },
  },
};

describe('backends of the platform in the description', () => {
  let folder: TempDirectory;
  const folders: TempDirectory[] = [];

  before(() => {
    folder = createTempDirectory();
    writeFileSync(folder.file('orders.yml'), stringify(ORDERS));
  });
  after(() => folder.remove());
  afterEach(() => {
    for (const each of folders.splice(0)) each.remove();
  });

  async function configurationOf(backends: Readonly<Record<string, ForeignBackend>>): Promise<Configuration> {
    const uses = (field: 'steps' | 'caller') =>
      Object.values(backends).some((backend) => backend[field] !== undefined);
    const plugins = [...(uses('steps') ? ['rewrite'] : []), ...(uses('caller') ? ['jwt'] : [])];
    const config = withForeignBackends(backends, plugins);
    folders.push(config);
    return loadConfiguration(config.path, configurationVariables(UNSTARTED_SERVICE_URLS), undefined, {
      readsFiles: true,
    });
  }
  const service = (file = 'orders.yml') => ['url: http://127.0.0.1:4711', `openapi: ${folder.file(file)}`];
  const described = async (backends: Readonly<Record<string, ForeignBackend>>): Promise<Document> =>
    describedBy(await configurationOf(backends));
  /** `METHOD /path` of the operations with the tag. */
  const under = ({ paths }: Document, tag: string): string[] =>
    Object.entries(paths)
      .flatMap(([path, item]) =>
        Object.entries(item).flatMap(([method, { tags }]) =>
          tags.includes(tag) ? [`${method.toUpperCase()} ${path}`] : [],
        ),
      )
      .sort();
  const operationAt = ({ paths }: Document, method: string, path: string): Operation => {
    const found = paths[path]?.[method];
    if (found === undefined) throw new Error(`no ${method} ${path}`);
    return found;
  };

  it('show what their endpoint opens, with its rule, its limits and its sizes', async () => {
    const document = await described({
      orders: {
        service: service(),
        endpoint: ['scopes: [read:data]'],
        body: 'maxBytes: 2048, contentTypes: [application/json]',
      },
    });
    expect(under(document, 'orders')).to.deep.equal(['GET /orders', 'GET /orders/{id}', 'POST /orders']);
    expect(document.tags.at(-1)).to.deep.equal({ name: 'orders', description: 'Orders of the shop' });
    const create = operationAt(document, 'post', '/orders') as Operation & Json;
    expect(create).to.deep.include({
      operationId: 'orders_create',
      tags: ['orders'],
      'x-scopes': ['read:data'],
      security: [{ apiKeyHeader: [] }, { bearer: [] }, { session: [] }],
    });
    expect(create.requestBody).to.deep.equal({
      description: 'An order.\n\nAt most 2048 bytes.',
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/orders.Order' } } },
    });
    expect(create['x-rate-limits'][0]).to.deep.include({ name: 'plan' });
    const list = operationAt(document, 'get', '/orders');
    expect(list.description).to.match(
      /^All of them\.\n\nScope: read:data\.\n\nLimits: the two windows of the plan/,
    );
    expect(Object.keys(list.responses)).to.include.members(['200', '401', '403', '429', '502', '503', '504']);
    expect(Object.keys(create.responses)).to.include.members(['413', '415']);
  });

  it('bring their components under their name, and nothing that is not used', async () => {
    const document = await described({ orders: { service: service() } });
    const { schemas = {}, securitySchemes = {}, parameters = {} } = document.components;
    expect(schemas['orders.Order']).to.deep.equal({
      type: 'object',
      properties: {
        id: { type: 'string' },
        parent: { $ref: '#/components/schemas/orders.Order' },
        kind: { $ref: '#/components/schemas/orders.Error' },
      },
      example: { $ref: '#/as/it/is' },
    });
    expect(schemas['orders.Error']).to.deep.equal({ type: 'string', enum: ['order'] });
    expect(schemas.Error).to.have.nested.property('properties.requestId');
    expect(schemas).to.not.have.any.keys('orders.Unused', 'Order');
    expect(securitySchemes).to.not.have.property('theirs');
    expect(parameters).to.not.have.property('orders.Id');
    const read = operationAt(document, 'get', '/orders/{id}');
    expect(read.parameters).to.deep.equal([ID, { name: 'deep', in: 'query', schema: { type: 'boolean' } }]);
    expect(resolved(document, read.responses[404] as Json)).to.deep.equal({ description: 'No such order.' });
    for (const [, reference] of JSON.stringify(document).matchAll(/"\$ref":"(#\/components[^"]*)"/g))
      expect(() => resolved(document, { $ref: String(reference) }), reference).to.not.throw();
  });

  it('may refer into any component, in any spelling of the reference', async () => {
    const inside = '#/components/requestBodies/Order/content/application~1json/schema';
    const list = answer({ anyOf: [{ $ref: inside }, { $ref: '#/components/schemas/%4Frder' }] });
    writeFileSync(folder.file('inside.yml'), stringify({ ...ORDERS, paths: { '/orders': { get: list } } }));
    const document = await described({ orders: { service: service('inside.yml') } });
    const shown = answer({
      anyOf: [
        { $ref: inside.replace('/Order/', '/orders.Order/') },
        { $ref: '#/components/schemas/orders.Order' },
      ],
    });
    expect(operationAt(document, 'get', '/orders').responses).to.deep.include(shown.responses);
    expect(document.components.requestBodies?.['orders.Order']).to.include({ description: 'An order.' });
  });

  it('are shown by the paths of clients where a policy rewrites them, and what no endpoint reaches is left out', async () => {
    const document = await described({
      shop: {
        service: service(),
        endpoint: ['scopes: [read:data]', 'methods: [GET]'],
        steps: ['- rewrite:', '    - action: { strip: /shop }'],
      },
      strange: {
        service: service(),
        endpoint: ['scopes: [read:data]'],
        steps: [
          '- rewrite:',
          "    - action: { match: '/strange/(.*)', to: '/orders/$1', otherwise: not-found }",
        ],
      },
    });
    expect(under(document, 'shop')).to.deep.equal(['GET /shop/orders', 'GET /shop/orders/{id}']);
    expect(under(document, 'strange')).to.deep.equal(['GET /strange/{id}']);
    expect(operationAt(document, 'get', '/strange/{id}').operationId).to.equal('strange_read');
  });

  it('are judged by the endpoint that answers, in the form that its parameters have', async () => {
    const endpoint = (pattern: string) => ({
      orders: {
        service: service(),
        endpoint: ['scopes: [read:data]', 'methods: [GET]', `parameterPattern: '${pattern}'`],
      },
    });
    const config = withForeignBackends(endpoint('[0-9]+'));
    folders.push(config);
    const file = config.file('gateway.config.yml');
    const text = readFileSync(file, 'utf8').replace('[/orders, "/orders/*"]', '["/orders/:id"]');
    writeFileSync(file, text);
    const read = (): Promise<Configuration> =>
      loadConfiguration(config.path, configurationVariables(UNSTARTED_SERVICE_URLS), undefined, {
        readsFiles: true,
      });
    expect(under(describedBy(await read()), 'orders')).to.deep.equal(['GET /orders/{id}']);
    writeFileSync(file, text.replace('[0-9]+', 'ord_[0-9]+'));
    expect(under(describedBy(await read()), 'orders')).to.deep.equal([]);
  });

  it('of sessions show their roles, and those without a credential that none is needed', async () => {
    const document = await described({
      staff: {
        service: service(),
        endpoint: ['access: session', 'roles: [owner]'],
        steps: ['- rewrite:', '    - action: { strip: /staff }'],
      },
      open: {
        service: service(),
        endpoint: ['access: public'],
        steps: ['- rewrite:', '    - action: { strip: /open }'],
      },
    });
    const staff = operationAt(document, 'get', '/staff/orders') as Operation & Json;
    expect(staff).to.deep.include({ 'x-roles': ['owner'], security: [{ session: [] }] });
    const open = operationAt(document, 'get', '/open/orders') as Operation & Json;
    expect(open.security).to.deep.equal([{}]);
    expect(Object.keys(open.responses)).to.not.include('401');
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map((one) => one.operationId),
    );
    expect(new Set(ids)).to.have.property('size', ids.length);
  });

  it('for callers with a token say whose it is, and no other credential', async () => {
    const plain = await described({ orders: { service: service() } });
    expect(plain.components.securitySchemes).to.not.have.property('token');
    const caller = jwtStep('https://login.example.com/keys');
    const document = await described({ orders: { service: service(), caller } });
    const list = operationAt(document, 'get', '/orders') as Operation & Json;
    expect(list).to.deep.include({ security: [{ token: [] }], 'x-scopes': ['read:data'] });
    expect(list.description).to.include(`Scope: read:data. With a token of ${ISSUER}.`);
    expect(document.components.securitySchemes?.token).to.deep.include({
      ...{ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    });
    const wrong = resolved(document, list.responses[401] as Json);
    expect(wrong.description).to.include('tokens of an identity provider').and.not.include('INVALID_API_KEY');
    expect(resolved(document, list.responses[403] as Json).description)
      .to.include('ACCESS_DENIED')
      .and.include('INSUFFICIENT_SCOPE');
  });

  it('are not loaded where the file is faulty, and the fault says where', async () => {
    writeFileSync(
      folder.file('bad.yml'),
      'openapi: 3.1.0\npaths: { /orders: { get: { responses: { 200: { $ref: x.yml } } } } }',
    );
    const fault = await configurationOf({ orders: { service: service('bad.yml') } }).catch(
      (thrown) => thrown,
    );
    expect(fault).to.be.instanceOf(ConfigurationError);
    const { faults, further } = fault as ConfigurationError;
    expect(faults.map(formatFault).join()).to.include(
      `${folder.file('bad.yml')}: /paths/~1orders/get/responses/200/$ref: "x.yml" leads to no component`,
    );
    expect(further).to.include(folder.file('bad.yml'));
  });

  it('that no endpoint reaches are worth a warning', async () => {
    const configuration = await configurationOf({ other: { service: service() } });
    expect(configuration.warnings.map(formatFault)).to.include(
      `gateway.config.yml serviceEndpoints.other.openapi: no endpoint reaches an operation of ${folder.file('orders.yml')}`,
    );
    expect(under(describedBy(configuration), 'other')).to.deep.equal([]);
  });

  it('are watched: the file is one of those that the configuration was read from', async () => {
    const configuration = await configurationOf({ orders: { service: service() } });
    expect(configuration.further).to.include(folder.file('orders.yml'));
  });
});
