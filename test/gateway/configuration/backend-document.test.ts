/** The OpenAPI document of a backend: what is refused, with its place, and what an old version becomes. */
import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { stringify } from 'yaml';
import { MOST_OPERATIONS, readBackendDocument } from '../../../gateway/configuration/backend-document.ts';
import { pointerOf, SchemaFault } from '../../../plugins/request-schema/schema-fault.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

type Json = Record<string, unknown>;

const OK: Json = { responses: { 200: { description: 'Fine.' } } };

describe('the OpenAPI document of a backend', () => {
  let folder: TempDirectory;

  before(() => {
    folder = createTempDirectory();
  });
  after(() => folder.remove());

  function read(text: string, name = 'orders.yml') {
    const file = folder.file(name);
    writeFileSync(file, text);
    return readBackendDocument(file);
  }
  /** `POINTER: TEXT` of the fault. */
  function faultOf(text: string): string {
    try {
      read(text);
    } catch (fault) {
      if (!(fault instanceof SchemaFault)) throw fault;
      return `${pointerOf(fault.steps)}: ${fault.message}`;
    }
    return 'none';
  }
  const documentOf = (paths: unknown, further: Json = {}): string =>
    stringify({ openapi: '3.1.0', info: { title: 'Orders', version: '1' }, paths, ...further });
  const answering = (schema: unknown): Json => ({
    get: { responses: { 200: { description: 'Fine.', content: { 'application/json': { schema } } } } },
  });
  const AT = '/paths/~1orders/get/responses/200/content/application~1json/schema';

  const faults: [what: string, text: string, fault: string][] = [
    ['no map', '[]', ': is no map at its root'],
    [
      'no YAML',
      'openapi: 3.1.0\npaths: {',
      ': line 2: Flow map in block collection must be sufficiently indented and end with a } at line 2, column 9:',
    ],
    [
      'another version',
      'openapi: 2.0.0\npaths: {}',
      '/openapi: is no OpenAPI document of version 3.0 or 3.1',
    ],
    ['no version', 'paths: {}', '/openapi: is no OpenAPI document of version 3.0 or 3.1'],
    ['no paths', 'openapi: 3.1.0', '/paths: is missing'],
    ['a list of paths', documentOf([]), '/paths: is no map'],
    [
      'a path without its slash',
      documentOf({ orders: {} }),
      '/paths/orders: is no path, such as /orders/{id}',
    ],
    [
      'a path with a query',
      documentOf({ '/orders?all': {} }),
      '/paths/~1orders?all: is no path, such as /orders/{id}',
    ],
    [
      'a method that is none',
      documentOf({ '/orders': { fetch: OK } }),
      '/paths/~1orders/fetch: is no method',
    ],
    [
      'a path that is written elsewhere',
      documentOf({ '/orders': { $ref: '#/components/pathItems/Orders' } }),
      '/paths/~1orders/$ref: write the operations of the path here',
    ],
    [
      'an operation that is a text',
      documentOf({ '/orders': { get: 'all' } }),
      '/paths/~1orders/get: is no map',
    ],
    [
      'parameters that are no list',
      documentOf({ '/orders': { get: { ...OK, parameters: { id: {} } } } }),
      '/paths/~1orders/get/parameters: is no list of maps',
    ],
    [
      'a reference to another file',
      documentOf({ '/orders': answering({ $ref: 'common.yml#/components/schemas/Order' }) }),
      `${AT}/$ref: "common.yml#/components/schemas/Order" leads to no component of this file: schemas, responses, parameters, examples, requestBodies, headers`,
    ],
    [
      'a reference to another host',
      documentOf({ '/orders': answering({ items: { $ref: 'https://example.com/order.json' } }) }),
      `${AT}/items/$ref: "https://example.com/order.json" leads to no component of this file: schemas, responses, parameters, examples, requestBodies, headers`,
    ],
    [
      'a reference into a path',
      documentOf({ '/orders': answering({ $ref: '#/paths/~1orders' }) }),
      `${AT}/$ref: "#/paths/~1orders" leads to no component of this file: schemas, responses, parameters, examples, requestBodies, headers`,
    ],
    [
      'a reference to nothing',
      documentOf({ '/orders': answering({ $ref: '#/components/schemas/Order' }) }),
      `${AT}/$ref: "#/components/schemas/Order" leads to nothing`,
    ],
    [
      'a reference to nothing in a component that nothing uses',
      documentOf(
        {},
        { components: { schemas: { Order: { properties: { by: { $ref: '#/components/schemas/No' } } } } } },
      ),
      '/components/schemas/Order/properties/by/$ref: "#/components/schemas/No" leads to nothing',
    ],
    [
      'a discriminator that maps to nothing',
      documentOf({
        '/orders': answering({ discriminator: { propertyName: 'kind', mapping: { big: 'Big' } } }),
      }),
      `${AT}/discriminator/mapping/big: "#/components/schemas/Big" leads to nothing`,
    ],
    [
      'an anchor',
      documentOf({ '/orders': answering({ $anchor: 'order' }) }),
      `${AT}/$anchor: has no place here: refer to #/components alone`,
    ],
    [
      'a component whose name no reference can have',
      documentOf({}, { components: { schemas: { 'My Order': {} } } }),
      '/components/schemas/My Order: is no name of a component',
    ],
    [
      'a document that holds itself',
      'openapi: 3.1.0\npaths: {}\ncomponents: { schemas: { A: &a { not: *a } } }',
      `/components/schemas/A${'/not'.repeat(64)}: nests deeper than 64 levels, or holds itself`,
    ],
    [
      'too many aliases',
      `openapi: 3.1.0\nx-a: &a { responses: {} }\npaths: {${Array.from({ length: 101 }, (_, at) => `/${at}: { get: *a }`).join()}}`,
      ': has more than 100 aliases of one part',
    ],
    [
      'too many operations',
      documentOf(
        Object.fromEntries(
          Array.from({ length: MOST_OPERATIONS + 1 }, (_, at) => [
            `/${at}`,
            { get: { description: `${at}` } },
          ]),
        ),
      ),
      `/paths: has more than ${MOST_OPERATIONS} operations`,
    ],
  ];
  for (const [what, text, fault] of faults) {
    it(`is refused with its place for ${what}`, () => {
      expect(faultOf(text)).to.equal(fault);
    });
  }

  it('is refused where it cannot be read, or is too large', () => {
    expect(() => readBackendDocument(folder.file('none.yml'))).to.throw(
      SchemaFault,
      'cannot be read: ENOENT',
    );
    expect(() => readBackendDocument(folder.path)).to.throw(SchemaFault, 'is not a file');
    const large = `# ${'x'.repeat(4_194_304)}\n${documentOf({})}`;
    expect(() => read(large)).to.throw(SchemaFault, 'is larger than 4194304 bytes');
  });

  it('may be JSON, and has its operations with the parameters of their paths', () => {
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
    const page = { name: 'page', in: 'query', schema: { type: 'integer' } };
    const paths = {
      'x-more': 1,
      '/orders/{id}': {
        summary: 'An order.',
        parameters: [id],
        get: { ...OK, parameters: [page], servers: [], security: [{ own: [] }], callbacks: {} },
        delete: OK,
        options: OK,
      },
      '/inner': { post: { ...OK, 'x-internal': true }, get: OK },
      '/secret': { 'x-internal': true, get: OK },
    };
    const { operations, title } = read(
      JSON.stringify({ openapi: '3.0.3', info: { title: 'Orders' }, paths }),
    );
    expect(title).to.equal('Orders');
    expect(operations).to.deep.equal([
      { path: '/orders/{id}', method: 'get', operation: { ...OK, parameters: [id, page] } },
      { path: '/orders/{id}', method: 'delete', operation: { ...OK, parameters: [id] } },
      { path: '/inner', method: 'get', operation: { ...OK, parameters: [] } },
    ]);
  });

  it('of version 3.0 becomes one of 3.1, and examples of values stay as they are', () => {
    const old = {
      type: 'object',
      properties: {
        nullable: { type: 'string', nullable: true, enum: ['a'] },
        count: { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
        other: { nullable: true, allOf: [{ $ref: '#/components/schemas/Other' }] },
        plain: { type: 'string', nullable: false },
      },
      example: { nullable: true, $ref: 'as it is' },
    };
    const components = { schemas: { Old: old, Other: {} } };
    const text = (openapi: string) => stringify({ openapi, paths: {}, components });
    expect(read(text('3.0.0')).components.schemas?.Old).to.deep.equal({
      ...old,
      properties: {
        nullable: { type: ['string', 'null'], enum: ['a', null] },
        count: { type: 'integer', exclusiveMinimum: 1, maximum: 9 },
        other: { anyOf: [{ allOf: [{ $ref: '#/components/schemas/Other' }] }, { type: 'null' }] },
        plain: { type: 'string' },
      },
    });
    expect(read(text('3.1.1')).components.schemas?.Old).to.deep.equal(old);
  });
});
