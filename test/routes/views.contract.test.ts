/** The contract of saved views, status by status, through the whole server. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { bodyCases, protectedRouteCases } from '../support/route-cases.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

const STATE = {
  preset: 'last_30d',
  timezone: 'Europe/Berlin',
  filters: [{ field: 'utm_source', op: 'eq', value: 'newsletter', of: 'session' }],
  display: { tab: 'pages' },
};
const VIEW = { websiteId: 'web_shop', name: 'Newsletter', state: STATE, shared: true };

describe("the contract of the saved views' endpoints", () => {
  let started: TestServer;
  let one: string;
  const server = () => started;
  const create = (asked: object = {}, key = started.keys.all) =>
    started.call('POST', '/v1/views', { key, body: { ...VIEW, ...asked } });

  before(async () => {
    started = await startTidegate();
    const made = await create({ name: 'Fixed' });
    expectSuccess(made, 201);
    one = `/v1/views/${made.body.data.id}`;
  });
  after(() => started.close());

  // Before the cases that use up the window of the other organization.
  it('is as if it did not exist to another organization', async () => {
    const key = started.keys.free;
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Stolen' }], ['DELETE']] as const) {
      expectError(await started.call(method, one, { key, body }), 404, 'NOT_FOUND');
    }
    expect((await started.call('GET', '/v1/views', { key })).body.data).to.deep.equal([]);
  });

  describe('POST /v1/views', () => {
    const route = {
      method: 'POST',
      path: '/v1/views',
      body: { ...VIEW, name: '' },
      wrongMethods: ['PUT', 'DELETE'],
    };

    it('answers 201 with the view, its place and its version', async () => {
      const answer = await create();
      expectSuccess(answer, 201);
      const { id, createdAt, updatedAt, ...data } = answer.body.data;
      expect(id).to.match(/^viw_/);
      expect(createdAt).to.equal(updatedAt);
      expect(answer.headers.get('location')).to.equal(`/v1/views/${id}`);
      expect(answer.headers.get('etag')).to.equal('"1"');
      expect(data).to.deep.equal({ ...VIEW, organizationId: 'org_main', createdBy: 'key_all' });
    });

    it('answers 400 with every fault of the body and of its query at once', async () => {
      const state = {
        preset: 'last_7',
        filters: [{ field: 'path', op: 'is', value: '/' }],
        compere: 'previous',
      };
      const answer = await create({ name: 'x'.repeat(101), shared: undefined, nmae: 'x', state });
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.details.map(({ field }: { field: string }) => field)).to.include.members([
        'name',
        'nmae',
        'shared',
        'state.compere',
      ]);
      const query = await create({ state: { ...state, compere: undefined } });
      expect(query.body.details.map(({ field }: { field: string }) => field)).to.have.members([
        'state.preset',
        'state.filters[0].op',
      ]);
    });

    it('answers 400 to a state beyond 8,192 bytes, as long as an address may be', async () => {
      const answer = await create({ state: { ...STATE, display: { text: 'x'.repeat(8_192) } } });
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error).to.match(/^state: Came with 8\d\d\d bytes/);
    });

    it('answers 403 ACCESS_DENIED for a website out of reach', async () => {
      for (const websiteId of ['web_free', 'web_none'])
        expectError(await create({ websiteId }), 403, 'ACCESS_DENIED');
      expectError(await create({ websiteId: 'web_blog' }, started.keys.shopOnly), 403, 'ACCESS_DENIED');
    });

    protectedRouteCases(server, route, 'manage:websites', 'readOnly');
    bodyCases(server, route, { maxBytes: 65_536, acceptsText: false });
  });

  describe('GET /v1/views', () => {
    it('answers 200 with those of the websites within reach, found by name', async () => {
      await create({ name: 'Blog', websiteId: 'web_blog' });
      const names = async (query: string, key = started.keys.all) =>
        (await started.call('GET', `/v1/views${query}`, { key })).body.data.map(
          ({ name }: { name: string }) => name,
        );
      expect(await names('?sort=name&search=f')).to.deep.equal(['Fixed']);
      expect(await names('?website_id=web_blog')).to.deep.equal(['Blog']);
      expect(await names('?sort=name', started.keys.shopOnly)).to.not.include('Blog');
      const denied = await started.call('GET', '/v1/views?website_id=web_blog', {
        key: started.keys.shopOnly,
      });
      expectError(denied, 403, 'ACCESS_DENIED');
    });

    protectedRouteCases(
      server,
      { method: 'GET', path: '/v1/views', wrongMethods: ['PUT'] },
      'read:data',
      'trackOnly',
    );
  });

  describe('one of /v1/views', () => {
    it('is read, changed at its version, and deleted', async () => {
      const { key } = { key: started.keys.all };
      const made = (await create({ name: 'Once' })).body.data;
      const path = `/v1/views/${made.id}`;
      expect((await started.call('GET', path, { key })).body.data).to.deep.equal(made);
      const ifMatch = { 'if-match': '"1"' };
      const body = { state: { preset: 'today' } };
      const changed = await started.call('PATCH', path, { key, body, headers: ifMatch });
      expectSuccess(changed);
      expect(changed.body.data).to.deep.include({ name: 'Once', state: { preset: 'today' } });
      expectError(
        await started.call('PATCH', path, { key, body, headers: ifMatch }),
        412,
        'PRECONDITION_FAILED',
      );
      expectError(await started.call('DELETE', path, { key, headers: ifMatch }), 412, 'PRECONDITION_FAILED');
      expectError(await started.call('PATCH', path, { key, body: { state: {} } }), 400, 'VALIDATION_ERROR');
      expectSuccess(await started.call('DELETE', path, { key }), 204);
      for (const [method, asked] of [['GET'], ['PATCH', body], ['DELETE']] as const) {
        expectError(await started.call(method, path, { key, body: asked }), 404, 'NOT_FOUND');
      }
    });

    protectedRouteCases(
      server,
      { method: 'GET', path: '/v1/views/viw_none', wrongMethods: ['POST'] },
      'read:data',
      'trackOnly',
    );
    protectedRouteCases(
      server,
      { method: 'PATCH', path: '/v1/views/viw_none', body: { name: 'x' }, wrongMethods: ['PUT'] },
      'manage:websites',
      'readOnly',
    );
    protectedRouteCases(
      server,
      { method: 'DELETE', path: '/v1/views/viw_none', wrongMethods: ['POST'] },
      'manage:websites',
      'readOnly',
    );
  });
});
