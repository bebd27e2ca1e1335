/** The request-schema policy: which bodies pass, byte for byte, what the others are told, and that no header lets one through. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { explainRequest } from '../../../gateway/configuration/explain.ts';
import { requestSchemaPolicy } from '../../../plugins/request-schema/request-schema-policy.ts';
import { readDocument } from '../../../plugins/request-schema/schema-source.ts';
import { expectError } from '../../support/answers.ts';
import { rawRequest } from '../../support/raw-request.ts';
import {
  checkShop,
  type ShopGateway,
  type ShopOptions,
  startShopGateway,
} from '../../support/start-shop-gateway.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

const SCHEMA =
  '{ type: object, required: [sku], additionalProperties: false, properties: { sku: { type: string, maxLength: 5 }, count: { type: integer, minimum: 1 }, tags: { type: array, items: { type: string } } } }';
const behind = (action: string, more: Partial<ShopOptions> = {}): ShopOptions => ({
  steps: [],
  body: '- body: [{ action: { read: whole, contentTypes: [application/json, text/plain, application/merge-patch+json] } }]',
  late: [`- request-schema: [{ action: ${action} }]`],
  plugins: ['request-schema'],
  ...more,
});

const OPENAPI = `openapi: 3.1.0
info: { title: Orders, version: "1", x-team: shop }
paths:
  /orders:
    post:
      operationId: createOrder
      requestBody: { $ref: "#/components/requestBodies/Order" }
      responses: { "201": { description: made } }
    get: { operationId: listOrders, responses: { "200": { description: all } } }
components:
  requestBodies:
    Order: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } }
  schemas:
    Order:
      type: object
      required: [sku]
      x-table: orders
      example: { sku: a }
      properties: { sku: { type: string }, parent: { $ref: "#/components/schemas/Order" } }
`;

describe('the request-schema policy', () => {
  let folder: TempDirectory;
  const fileOf = (name: string, text: string): string => {
    const path = join(folder.path, name);
    writeFileSync(path, text);
    return path;
  };
  before(() => {
    folder = createTempDirectory();
  });
  after(() => folder.remove());

  describe('in the configuration', () => {
    const at = 'gateway.config.yml pipelines.shop.policies[4].request-schema[0].action';

    it('is explained for a path', async () => {
      const openapi = fileOf('explained.yml', OPENAPI);
      const said: Record<string, string> = {
        [`{ schema: ${SCHEMA} }`]: 'checks bodies of JSON by its schema; refuses other bodies',
        [`{ openapi: { file: "${openapi}", operations: { shop: createOrder } }, others: pass }`]: `checks bodies of JSON by the operations of ${openapi}; lets bodies pass that are no JSON`,
      };
      for (const [action, words] of Object.entries(said)) {
        const checked = await checkShop(behind(action));
        if (Array.isArray(checked)) throw new Error(checked.join('\n'));
        expect(explainRequest(checked, 'POST', '/shop/a').policies.map((one) => one.does)).to.include(words);
      }
    });

    it('is refused for a fault in a schema, with file and place', async () => {
      const broken = fileOf(
        'broken.json',
        '{ "type": "object",\n "properties": { "a": { "type": "strng" } } }',
      );
      const list = fileOf('list.json', '[]');
      const text = fileOf('text.json', '{\n"a": [}');
      const openapi = fileOf('orders.yml', OPENAPI);
      const old = fileOf('old.yml', 'swagger: "2.0"\n');
      const faults: Record<string, string> = {
        '{}': `${at}: needs exactly one of schema, file and openapi`,
        '{ schema: { type: object, propertys: {} } }': `${at}.schema.propertys: unknown keyword: "propertys"`,
        '{ schema: { type: object, properties: { a: { type: strng } } } }': `${at}.schema.properties.a.type: must`,
        '{ schema: { type: object, properties: { a: { $ref: "http://x.test/a" } } } }': `${at}.schema.properties.a.$ref: "http://x.test/a" leads out of the file`,
        '{ file: schema.json }': `${at}.file: must be an absolute path`,
        '{ file: /nowhere/schema.json }': `${at}.file: /nowhere/schema.json: cannot be read: ENOENT`,
        [`{ file: "${broken}" }`]: `${at}.file: ${broken}#/properties/a/type: must`,
        [`{ file: "${list}" }`]: `${at}.file: ${list}: is no map at its root`,
        [`{ file: "${text}" }`]: `${at}.file: ${text}: line 2: `,
        [`{ openapi: { file: "${old}", operations: { shop: a } } }`]: `${at}.openapi.file: ${old}#/openapi: is no OpenAPI document of version 3.0 or 3.1`,
        [`{ openapi: { file: "${openapi}", operations: { shop: create } } }`]: `${at}.openapi.file: ${openapi}#/paths: has no operation "create"; it has listOrders, createOrder`,
        [`{ openapi: { file: "${openapi}", operations: { shop: listOrders } } }`]: `${at}.openapi.file: ${openapi}#/paths/~1orders/get: the operation "listOrders" has no schema`,
        [`{ openapi: { file: "${openapi}", operations: { shops: createOrder } } }`]: `${at}.openapi.operations.shops: "shops" is no endpoint of this pipeline; allowed: shop`,
        [`{ openapi: { file: "${openapi}", operations: {} } }`]: `${at}.openapi.operations: names no operation for the endpoint "shop"`,
        [`{ schema: ${SCHEMA}, others: allow }`]: `${at}.others: "allow" is not allowed; allowed: refuse, pass`,
      };
      for (const [action, fault] of Object.entries(faults)) {
        const found = (await checkShop(behind(action))) as string[];
        expect(found[0]?.slice(0, fault.length), action).to.equal(fault);
      }
    });

    it('names its files, so that a reload sees a change of them, and reads regular files of a bounded size', async () => {
      const path = fileOf('named.json', '{ "type": "object" }');
      const openapi = { file: path, operations: {} };
      const read = (params: object) => requestSchemaPolicy.reads?.(requestSchemaPolicy.schema.parse(params));
      expect(read({ file: path })).to.deep.equal([
        { path: ['file'], location: path, expected: 'a JSON Schema' },
      ]);
      expect(read({ openapi })).to.deep.equal([
        { path: ['openapi', 'file'], location: path, expected: 'an OpenAPI document' },
      ]);
      expect(read({ schema: {} })).to.deep.equal([]);
      expect(() => readDocument('/dev/zero')).to.throw('is not a file');
      const large = fileOf('large.json', ' '.repeat(4_194_305));
      expect(() => readDocument(large)).to.throw('is larger than 4194304 bytes');
    });

    it('is refused before rate-limit, and without whole bodies', async () => {
      const action = `{ schema: ${SCHEMA} }`;
      const step = `- request-schema: [{ action: ${action} }]`;
      const found = async (options: ShopOptions) =>
        ((await checkShop(options)) as string[]).map((fault) => fault.replace(/^.*\.action: /, ''));
      expect(await found(behind(action, { body: '- body:' }))).to.deep.equal([
        'needs whole bodies: write "body" before it with { read: whole }',
      ]);
      expect((await found(behind(action, { steps: [step], late: [] })))[0]).to.equal(
        'stands before "rate-limit": bodies that it refuses would go uncounted',
      );
    });
  });

  describe('in a started gateway', () => {
    let shop: ShopGateway;
    before(async () => {
      shop = await startShopGateway(behind(`{ schema: ${SCHEMA} }`));
    });
    beforeEach(() => {
      shop.seen.length = 0;
    });
    after(() => shop.close());

    const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
      shop.call('POST', '/shop/orders', { body, headers });

    it('lets pass what fits, byte for byte', async () => {
      const bodies = ['{"sku":"a"}', ' {\n "count" : 1e2, "sku":"\\u0061" ,"tags":[ ] }\r\n', '{"sku":"ü"}'];
      for (const body of bodies) {
        expect((await post(body)).status, body).to.equal(200);
        expect(shop.seen.at(-1)?.body).to.equal(body);
      }
      expect((await post('{"sku":"a"}', { 'content-type': 'application/merge-patch+json' })).status).to.equal(
        200,
      );
      expect((await post(gzipSync('{"sku":"zip"}'), { 'content-encoding': 'gzip' })).status).to.equal(200);
      expect(shop.seen.at(-1)?.body).to.equal('{"sku":"zip"}');
      expect(shop.seen.at(-1)?.headers['content-encoding']).to.equal(undefined);
      for (const method of ['GET', 'DELETE'])
        expect((await shop.call(method, '/shop/orders')).status, method).to.equal(200);
    });

    it('refuses what does not fit with the place of each fault, and the backend sees none of it', async () => {
      const answer = await post('{"sku":"abcdef","count":0,"tags":["a",5],"other":1}');
      expectError(answer, 400, 'VALIDATION_ERROR', shop.clock.now());
      expect(answer.body.details).to.have.deep.members([
        { field: 'other', message: 'Unknown field.' },
        { field: 'sku', message: 'At most 5 characters.' },
        { field: 'count', message: 'At least 1.' },
        { field: 'tags[1]', message: 'Allowed: a text.' },
      ]);
      const bodies: [string | Uint8Array, RegExp][] = [
        ['{}', /sku: This is missing/],
        ['[]', /body: Allowed: an object/],
        ['null', /body: Allowed: an object/],
        ['{"sku":"a"', /not valid JSON/],
        ['{"sku":"a"}{}', /not valid JSON/],
        [Buffer.from('{"sku":"\xff"}', 'latin1'), /not UTF-8/],
        [gzipSync('{"sku":5}'), /sku: Allowed: a text/],
        [`{"sku":"a","tags":${'['.repeat(100)}${']'.repeat(100)}}`, /64 deep/],
      ];
      for (const [body, wanted] of bodies) {
        const headers: Record<string, string> =
          body instanceof Uint8Array && body[0] === 0x1f ? { 'content-encoding': 'gzip' } : {};
        const refused = await post(body, headers);
        expect(refused.status, String(body)).to.equal(400);
        expect(refused.body.error, String(body)).to.match(wanted);
      }
      const missing = await shop.call('POST', '/shop/orders');
      expect([missing.status, missing.body.error]).to.deep.equal([400, 'body: This is missing.']);
      expect(shop.seen).to.deep.equal([]);
    });

    it('names a bounded number of faults, and repeats no long name', async () => {
      const many = await post(JSON.stringify({ sku: 'a', tags: Array.from({ length: 100 }, () => 1) }));
      expect(many.body.details).to.have.length(20);
      const large = await post(JSON.stringify({ sku: 'a', tags: Array.from({ length: 50_000 }, () => 1) }));
      expect(large.body.details).to.deep.equal([{ field: 'tags[0]', message: 'Allowed: a text.' }]);
      const long = await post(JSON.stringify({ sku: 'a', ['n'.repeat(3_000)]: 1 }));
      expect(JSON.stringify(long.body).length).to.be.below(1_000);
    });

    it('counts what it refuses', async () => {
      const key = await shop.organization('org_counted');
      const remaining = async (body: string) => {
        const { headers } = await shop.call('POST', '/shop/orders', { key, body });
        return Number(headers.get('x-ratelimit-remaining'));
      };
      const first = await remaining('{}');
      expect(await remaining('{}')).to.equal(first - 1);
    });

    it('refuses bodies of other types, and those whose type two readers would read as two', async () => {
      for (const type of ['text/plain', 'text/css', 'application/x-www-form-urlencoded'])
        expect((await post('{"sku":5}', { 'content-type': type })).status, type).to.equal(415);
      expect(shop.seen).to.deep.equal([]);
    });

    it('is passed by no header that a client forges', async () => {
      const names = [
        ...['x-gateway-identity', 'X_Gateway_Identity', 'x-consumer-id', 'x-http-method-override'],
        ...['x-forwarded-for', 'content_type', 'Content_Length', 'x-original-url', 'x-user-id'],
      ];
      for (const name of names) {
        for (const connection of ['close', `close, ${name}`, 'close, content-type']) {
          const lines = [
            'POST /shop/orders HTTP/1.1',
            'Host: x',
            `Connection: ${connection}`,
            'Content-Type: application/json',
            'Content-Length: 9',
            `${name}: GET`,
          ];
          const { statusLine } = await rawRequest(shop.origin, `${lines.join('\r\n')}\r\n\r\n{"sku":5}`);
          expect(statusLine, `${name} ${connection}`).to.match(/ 4(?:00|15|31) /);
        }
      }
      expect(shop.seen).to.deep.equal([]);
    });
  });

  it('lets other bodies pass where it says so, save those whose type two readers would read as two', async () => {
    const shop = await startShopGateway(behind(`{ schema: ${SCHEMA}, others: pass, required: false }`));
    try {
      const plain = await shop.call('POST', '/shop/a', {
        body: 'hello',
        headers: { 'content-type': 'text/plain' },
      });
      expect([plain.status, shop.seen.at(-1)?.body]).to.deep.equal([200, 'hello']);
      expect((await shop.call('POST', '/shop/a')).status).to.equal(200);
      expect((await shop.call('POST', '/shop/a', { body: '{}' })).status).to.equal(400);
      shop.seen.length = 0;
      for (const name of ['Content-Type', 'content-type', 'Content_Type']) {
        const lines = [
          ...['POST /shop/a HTTP/1.1', 'Host: x', 'Connection: close', 'Content-Type: text/plain'],
          ...[`${name}: application/json`, 'Content-Length: 9'],
        ];
        const { statusLine } = await rawRequest(shop.origin, `${lines.join('\r\n')}\r\n\r\n{"sku":5}`);
        expect(statusLine, name).to.include(' 415 ');
      }
      expect(shop.seen).to.deep.equal([]);
    } finally {
      await shop.close();
    }
  });

  it('checks each endpoint by its operation of an OpenAPI document', async () => {
    const file = fileOf('served.yml', OPENAPI);
    const shop = await startShopGateway(
      behind(`{ openapi: { file: "${file}", operations: { shop: createOrder } } }`),
    );
    try {
      const post = (body: unknown) => shop.call('POST', '/shop/orders', { body });
      expect((await post({ sku: 'a', parent: { sku: 'b' } })).status).to.equal(200);
      const refused = await post({ sku: 'a', parent: { sku: 'b', parent: {} } });
      expect(refused.body.details).to.deep.equal([
        { field: 'parent.parent.sku', message: 'This is missing.' },
      ]);
      expect((await shop.call('POST', '/shop/orders')).status).to.equal(400);
    } finally {
      await shop.close();
    }
  });
});
