/** The contract of the endpoints of flags and target groups, status by status, through the whole server. */
import { expect } from 'chai';
import fc from 'fast-check';
import { expectError, expectSuccess } from '../support/answers.ts';
import { bodyEnvelopeCases, protectedRouteCases } from '../support/route-cases.ts';
import { newAddress, startTidegate, type TestServer } from '../support/start-tidegate.ts';

const MIB = 1024 * 1024;
const RULE = { type: 'user_id', operator: 'equals', value: 'u1', enabled: true };
const OFF = { enabled: false, value: false, payload: null };
const NOT_FOUND = { ...OFF, reason: 'FLAG_NOT_FOUND' };

/** Both resources, each with a body that creates one and one that changes it. */
const RESOURCES = [
  { path: '/v1/flags', id: 'flg_none', make: (n: number) => ({ key: `flag-${n}` }), prefix: 'flg_' },
  {
    path: '/v1/target-groups',
    id: 'tgt_none',
    make: (n: number) => ({ name: `Group ${n}` }),
    prefix: 'tgt_',
  },
];

describe('the contract of flags', () => {
  let started: TestServer;
  const server = () => started;
  let made = 0;

  before(async () => {
    started = await startTidegate();
  });
  after(() => started.close());

  const asAll = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    server().call(method, path, { key: server().keys.all, body, headers });

  for (const { path, id, make, prefix } of RESOURCES) {
    describe(path, () => {
      it('answers 201 with Location and ETag, 200, 412, 204 and then 404, over the life of one', async () => {
        const created = await asAll('POST', path, make(++made));
        expectSuccess(created, 201);
        const { data } = created.body;
        expect(data.id).to.match(new RegExp(`^${prefix}`));
        const location = created.headers.get('location') ?? '';
        expect(location).to.equal(`${path}/${data.id}`);
        const read = await asAll('GET', location);
        expectSuccess(read);
        expect(read.body.data).to.deep.equal(data);
        expect(read.headers.get('etag')).to.equal(created.headers.get('etag'));
        const changed = await asAll('PATCH', location, { name: 'Renamed' }, { 'if-match': '"1"' });
        expectSuccess(changed);
        expect(changed.body.data).to.deep.include({ id: data.id, name: 'Renamed' });
        const late = await asAll('PATCH', location, { name: 'Late' }, { 'if-match': '"1"' });
        expectError(late, 412, 'PRECONDITION_FAILED');
        expectError(await asAll('PATCH', location, { name: 7 }), 400, 'VALIDATION_ERROR');
        expectSuccess(await asAll('DELETE', location), 204);
        for (const method of ['GET', 'DELETE']) expectError(await asAll(method, location), 404, 'NOT_FOUND');
        expectError(await asAll('PATCH', location, { name: 'x' }), 404, 'NOT_FOUND');
      });

      it('answers 400 with every fault and names unknown fields', async () => {
        const answer = await asAll('POST', path, { nonsense: 1, rules: 'no' });
        expectError(answer, 400, 'VALIDATION_ERROR');
        const fields = answer.body.details.map(({ field }: { field: string }) => field);
        expect(fields).to.include.members(['nonsense', 'rules']);
        for (const body of ['{', '']) expectError(await asAll('POST', path, body), 400, 'VALIDATION_ERROR');
      });

      it('lists in pages, to HEAD too, and refuses what is no cursor', async () => {
        for (let count = 0; count < 3; count++) expectSuccess(await asAll('POST', path, make(++made)), 201);
        const first = await asAll('GET', `${path}?limit=2&sort=-createdAt`);
        expectSuccess(first);
        expect(first.body.data).to.have.length(2);
        expectSuccess(await asAll('GET', `${path}?limit=2&sort=-createdAt&cursor=${first.body.nextCursor}`));
        expectError(await asAll('GET', `${path}?cursor=x`), 400, 'VALIDATION_ERROR');
        expect((await asAll('HEAD', path)).status).to.equal(200);
      });

      for (const route of [
        { method: 'GET', path, wrongMethods: ['PUT', 'PATCH', 'DELETE'] },
        { method: 'POST', path, body: { name: '' }, wrongMethods: ['PUT'] },
        { method: 'GET', path: `${path}/${id}`, wrongMethods: ['POST', 'PUT'] },
        { method: 'PATCH', path: `${path}/${id}`, body: { name: 'x' }, wrongMethods: ['POST'] },
        { method: 'DELETE', path: `${path}/${id}`, wrongMethods: ['PUT'] },
      ]) {
        describe(`${route.method} ${route.path}`, () => {
          protectedRouteCases(server, route, 'manage:flags', 'readOnly');
          if (route.body !== undefined)
            bodyEnvelopeCases(server, route, { maxBytes: MIB, acceptsText: false, streamed: true });
        });
      }
    });
  }

  it('answers 409 to a taken key, and to deleting what a flag needs', async () => {
    const groupId = (await asAll('POST', '/v1/target-groups', { name: 'Used' })).body.data.id;
    const base = await asAll('POST', '/v1/flags', { key: 'base', targetGroupIds: [groupId] });
    expectSuccess(base, 201);
    expectSuccess(await asAll('POST', '/v1/flags', { key: 'needs', dependencies: ['base'] }), 201);
    expectError(await asAll('POST', '/v1/flags', { key: 'base' }), 409, 'CONFLICT');
    const used = await asAll('DELETE', `/v1/target-groups/${groupId}`);
    expectError(used, 409, 'CONFLICT');
    expect(used.body.error).to.include('base');
    const needed = await asAll('DELETE', `/v1/flags/${base.body.data.id}`);
    expectError(needed, 409, 'CONFLICT');
    expect(needed.body.error).to.include('needs');
  });

  it('leaves an organization that is not its own with 404, and changes nothing', async () => {
    const { id } = (await asAll('POST', '/v1/flags', { key: 'ours', websiteId: 'web_shop' })).body.data;
    const key = server().keys.free;
    const path = `/v1/flags/${id}`;
    expectError(await server().call('GET', path, { key }), 404, 'NOT_FOUND');
    expectError(await server().call('PATCH', path, { key, body: { name: 'theirs' } }), 404, 'NOT_FOUND');
    expectError(await server().call('DELETE', path, { key }), 404, 'NOT_FOUND');
    expect((await asAll('GET', path)).headers.get('etag')).to.equal('"1"');
  });

  describe('GET /public/v1/flags/evaluate and /bulk', () => {
    const EVALUATE = '/public/v1/flags/evaluate';
    const BULK = '/public/v1/flags/bulk';

    before(async () => {
      const shop = { websiteId: 'web_shop' };
      expectSuccess(
        await asAll('POST', '/v1/flags', { key: 'open', defaultValue: true, payload: 7, ...shop }),
        201,
      );
      expectSuccess(await asAll('POST', '/v1/flags', { key: 'mine', rules: [RULE], ...shop }), 201);
      expectSuccess(await asAll('POST', '/v1/flags', { key: '__proto__', defaultValue: true, ...shop }), 201);
    });

    it('answers 200 to anybody, from any page, reading no key', async () => {
      const path = `${EVALUATE}?clientId=web_shop&key=open`;
      for (const options of [
        {},
        { key: server().keys.unknown },
        { headers: { origin: 'https://any.example' } },
      ]) {
        const answer = await server().call('GET', path, options);
        expectSuccess(answer);
        expect(answer.body).to.deep.equal({
          ...{ enabled: true, value: true, payload: 7, reason: 'BOOLEAN_DEFAULT' },
        });
        expect(answer.headers.get('access-control-allow-origin')).to.equal('*');
        expect(answer.headers.get('cache-control')).to.equal('public, max-age=15');
      }
    });

    it('answers 200 FLAG_NOT_FOUND for an unknown flag or client, and an empty bulk', async () => {
      for (const query of [
        'clientId=web_shop&key=none',
        'clientId=web_none&key=open',
        'clientId=x&key=__proto__',
      ]) {
        const answer = await server().call('GET', `${EVALUATE}?${query}`);
        expectSuccess(answer);
        expect(answer.body).to.deep.equal(NOT_FOUND);
      }
      const bulk = await server().call('GET', `${BULK}?clientId=web_none`);
      expect([bulk.status, bulk.body]).to.deep.equal([200, { flags: {}, count: 0 }]);
    });

    it('answers all flags of a client, or those of keys', async () => {
      const all = await server().call('GET', `${BULK}?clientId=web_shop&userId=u1`);
      expectSuccess(all);
      expect(Object.keys(all.body.flags)).to.include.members(['open', 'mine', '__proto__']);
      expect(all.body.count).to.equal(Object.keys(all.body.flags).length);
      const some = await server().call('GET', `${BULK}?clientId=web_shop&userId=u1&keys=mine,none,mine`);
      expect(some.body).to.deep.equal({
        flags: { mine: { enabled: true, value: true, payload: null, reason: 'USER_RULE_MATCH' } },
        count: 1,
      });
    });

    it('answers 304 to If-None-Match while the answer holds, with ETag, Cache-Control and the limits', async () => {
      const path = `${BULK}?clientId=web_shop&keys=open`;
      const first = await server().call('GET', path);
      const etag = first.headers.get('etag') ?? '';
      for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const answer = await server().call('GET', path, { headers: { 'if-none-match': tag } });
        expect([answer.status, answer.body], tag).to.deep.equal([304, null]);
        expect(answer.headers.get('etag')).to.equal(etag);
        expect(answer.headers.get('cache-control')).to.equal('public, max-age=15');
        expect(answer.headers.get('x-ratelimit-limit')).to.equal('100');
      }
      const other = await server().call('GET', `${path},mine`, { headers: { 'if-none-match': etag } });
      expect(other.status).to.equal(200);
    });

    it('answers 400 without clientId or key, and to what is too long or stands twice', async () => {
      for (const [path, field] of [
        [`${EVALUATE}?clientId=web_shop`, 'key'],
        [`${EVALUATE}?key=open`, 'clientId'],
        [`${BULK}?clientId=`, 'clientId'],
        [`${BULK}?clientId=a&clientId=b`, 'clientId'],
        [`${BULK}?clientId=web_shop&userId=${'x'.repeat(257)}`, 'userId'],
        [`${BULK}?clientId=web_shop&email=a&email=b`, 'email'],
      ]) {
        const answer = await server().call('GET', path ?? '');
        expectError(answer, 400, 'VALIDATION_ERROR');
        expect(answer.body.details.map((detail: { field: string }) => detail.field)).to.deep.equal([field]);
      }
    });

    it('answers 405 with Allow to a wrong method, and HEAD as GET', async () => {
      for (const path of [EVALUATE, BULK]) {
        for (const method of ['POST', 'DELETE'])
          expectError(await server().call(method, path), 405, 'METHOD_NOT_ALLOWED');
        const head = await server().call('HEAD', `${path}?clientId=web_shop&key=open`);
        expect([head.status, head.body]).to.deep.equal([200, null]);
      }
    });

    it('answers 429 to the 101st request of an address within a minute', async () => {
      const address = newAddress();
      const path = `${BULK}?clientId=web_shop`;
      const answers = await Promise.all(
        Array.from({ length: 101 }, () => server().call('GET', path, { address })),
      );
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).to.have.length(1);
      for (const answer of refused) expectError(answer, 429, 'RATE_LIMIT_EXCEEDED');
    });

    it('answers any query string with 200 or 400', async () => {
      const names = ['clientId', 'key', 'keys', 'userId', 'email', 'properties', 'environment', '__proto__'];
      const values = fc.oneof(
        fc.constantFrom(
          'web_shop',
          'org_main',
          'open',
          '__proto__',
          'constructor',
          '{"a":1}',
          '[',
          '{"__proto__":1}',
        ),
        fc.string({ maxLength: 40, unit: 'binary' }),
        fc.constant(`{"a":${'['.repeat(200)}`),
      );
      const pair = fc.tuple(fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 8 })), values);
      // A parameter as it must not be written: broken escapes, brackets, nothing.
      const raw = fc.constantFrom(
        'clientId[]=web_shop',
        'clientId[a]=b',
        '%',
        '%zz=%ff',
        '&&==',
        'a=%00',
        'key=%ED%A0%80',
      );
      const queries = fc.array(
        fc.oneof(
          pair.map(([name, value]) => new URLSearchParams([[name, value]]).toString()),
          raw,
        ),
        {
          maxLength: 8,
        },
      );
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(EVALUATE, BULK), queries, async (path, parts) => {
          const query = ['clientId=web_shop&key=open', ...parts].slice(parts.length % 2).join('&');
          const { status, body } = await server().call('GET', `${path}?${query}`);
          expect([200, 400], JSON.stringify([query, body])).to.include(status);
        }),
        { numRuns: 150 },
      );
    });
  });
});
