/** The contract of shares for those who manage them, status by status, through the whole server. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { bodyCases, protectedRouteCases } from '../support/route-cases.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

describe("the contract of the shares' endpoints", () => {
  let started: TestServer;
  let view: string;
  let one: string;
  const server = () => started;
  const createView = async (asked: object = {}) => {
    const body = {
      websiteId: 'web_shop',
      name: 'Month',
      state: { preset: 'last_30d' },
      shared: true,
      ...asked,
    };
    const answer = await started.call('POST', '/v1/views', { key: started.keys.all, body });
    expectSuccess(answer, 201);
    return answer.body.data.id as string;
  };
  const create = (asked: object = {}, key = started.keys.all) => {
    const body = { websiteId: 'web_shop', view, name: 'Agency', datasets: ['pages', 'country'], ...asked };
    return started.call('POST', '/v1/shares', { key, body });
  };
  const fieldsOf = (answer: Awaited<ReturnType<typeof create>>) =>
    answer.body.details.map(({ field }: { field: string }) => field);

  before(async () => {
    started = await startTidegate();
    view = await createView();
    const made = await create();
    expectSuccess(made, 201);
    one = `/v1/shares/${made.body.data.id}`;
  });
  after(() => started.close());

  // Before the cases that use up the window of the other organization.
  it('is as if it did not exist to another organization', async () => {
    const key = started.keys.free;
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Stolen' }], ['DELETE']] as const) {
      expectError(await started.call(method, one, { key, body }), 404, 'NOT_FOUND');
    }
    expect((await started.call('GET', '/v1/shares', { key })).body.data).to.deep.equal([]);
    const stolen = await create({ websiteId: 'web_free' }, key);
    expectError(stolen, 400, 'VALIDATION_ERROR');
    expect(fieldsOf(stolen)).to.deep.equal(['view']);
  });

  describe('POST /v1/shares', () => {
    const body = { websiteId: 'web_shop', view: 'viw_none', name: 'Agency', datasets: ['pages'] };
    const route = { method: 'POST', path: '/v1/shares', body, wrongMethods: ['PUT', 'DELETE'] };

    it('answers 201 with a token of 256 bits, and never with the password', async () => {
      const origins = ['https://www.example.com', 'http://localhost:3000'];
      const answer = await create({
        password: 'correct horse',
        expiresAt: '2099-01-01T02:00:00+02:00',
        origins,
      });
      expectSuccess(answer, 201);
      const { id, token, createdAt, updatedAt, ...data } = answer.body.data;
      expect(id).to.match(/^shr_/);
      expect(token).to.match(/^[A-Za-z0-9_-]{43}$/);
      expect(createdAt).to.equal(updatedAt);
      expect(answer.headers.get('location')).to.equal(`/v1/shares/${id}`);
      expect(data).to.deep.equal({
        ...{ organizationId: 'org_main', websiteId: 'web_shop', view, name: 'Agency', hasPassword: true },
        ...{
          expiresAt: '2099-01-01T00:00:00.000Z',
          datasets: ['pages', 'country'],
          origins,
          createdBy: 'key_all',
        },
      });
      const read = await started.call('GET', `/v1/shares/${id}`, { key: started.keys.readOnly });
      expect(read.body.data).to.deep.equal(answer.body.data);
    });

    it('answers 400 with every fault at once', async () => {
      const answer = await create({
        ...{ name: '', password: 'short', expiresAt: 'soon', passwort: 'x', view: 5 },
        ...{
          datasets: ['pages', 'pages'],
          origins: ['https://www.example.com/path', '*', 'https://WWW.example.com'],
        },
      });
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(fieldsOf(answer)).to.have.members([
        ...['name', 'password', 'expiresAt', 'passwort', 'view', 'datasets'],
        ...['origins[0]', 'origins[1]', 'origins[2]'],
      ]);
    });

    it('answers 400 to a view that is own, of another website, or none', async () => {
      const elsewhere = await createView({ websiteId: 'web_blog' });
      for (const other of [elsewhere, 'viw_none']) {
        const answer = await create({ view: other });
        expectError(answer, 400, 'VALIDATION_ERROR');
        expect(fieldsOf(answer)).to.deep.equal(['view']);
      }
    });

    it('answers 400 to datasets that show people, that are none, or that do not take the filters of the view', async () => {
      const people = ['sessions', 'profile_list', 'custom_events_recent', 'errors', 'returning_visitors'];
      const answer = await create({ datasets: ['pages', ...people, 'paegs'] });
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(fieldsOf(answer)).to.have.members([1, 2, 3, 4, 5, 6].map((index) => `datasets[${index}]`));
      const filters = [{ field: 'message', op: 'eq', value: 'x' }];
      const narrow = await createView({ state: { preset: 'today', filters } });
      expect(fieldsOf(await create({ view: narrow, datasets: ['pages'] }))).to.deep.equal(['datasets[0]']);
    });

    it('answers 403 ACCESS_DENIED for a website out of reach', async () => {
      for (const websiteId of ['web_free', 'web_none'])
        expectError(await create({ websiteId }), 403, 'ACCESS_DENIED');
      expectError(await create({ websiteId: 'web_blog' }, started.keys.shopOnly), 403, 'ACCESS_DENIED');
    });

    protectedRouteCases(server, route, 'manage:websites', 'readOnly');
    bodyCases(server, route, { maxBytes: 65_536, acceptsText: false });
  });

  describe('GET /v1/shares', () => {
    it('is not compressed, since it shows tokens', async () => {
      const names = Array.from({ length: 4 }, (_, number) => `Agency of a rather long name ${number}`);
      for (const name of names) expectSuccess(await create({ name }), 201);
      const headers = { 'accept-encoding': 'gzip, br' };
      const answer = await started.call('GET', '/v1/shares', { key: started.keys.all, headers });
      expectSuccess(answer);
      expect(JSON.stringify(answer.body).length).to.be.above(1_024);
      expect(answer.headers.get('content-encoding')).to.equal(null);
      expect(answer.headers.get('cache-control')).to.equal('private, no-store, no-transform');
    });

    it('answers 200 with those of the websites within reach', async () => {
      const ids = async (key: string, query = '') =>
        (await started.call('GET', `/v1/shares${query}`, { key })).body.data.map(
          ({ id }: { id: string }) => id,
        );
      const blog = await createView({ websiteId: 'web_blog' });
      const made = await create({ websiteId: 'web_blog', view: blog, name: 'Blog' });
      expect(await ids(started.keys.all, '?search=blog')).to.deep.equal([made.body.data.id]);
      expect(await ids(started.keys.shopOnly)).to.not.include(made.body.data.id);
      const path = `/v1/shares/${made.body.data.id}`;
      expectError(await started.call('GET', path, { key: started.keys.shopOnly }), 403, 'ACCESS_DENIED');
    });

    protectedRouteCases(
      server,
      { method: 'GET', path: '/v1/shares', wrongMethods: ['PUT'] },
      'read:data',
      'trackOnly',
    );
  });

  describe('one of /v1/shares', () => {
    it('is changed at its version and keeps its token, and deleted', async () => {
      const { all: key } = started.keys;
      const { id, token } = (await create({ password: 'correct horse' })).body.data;
      const path = `/v1/shares/${id}`;
      const options = {
        key,
        body: { password: null, datasets: ['summary'] },
        headers: { 'if-match': '"1"' },
      };
      const changed = await started.call('PATCH', path, options);
      expectSuccess(changed);
      expect(changed.body.data).to.deep.include({ token, hasPassword: false, datasets: ['summary'] });
      expectError(await started.call('PATCH', path, options), 412, 'PRECONDITION_FAILED');
      const faulty = await started.call('PATCH', path, { key, body: { datasets: ['sessions'] } });
      expectError(faulty, 400, 'VALIDATION_ERROR');
      expectSuccess(await started.call('DELETE', path, { key }), 204);
      expectError(await started.call('GET', path, { key }), 404, 'NOT_FOUND');
    });

    it('keeps its view: that is neither deleted nor taken away meanwhile', async () => {
      const { all: key } = started.keys;
      const kept = await createView();
      const { id } = (await create({ view: kept })).body.data;
      const refused = await started.call('DELETE', `/v1/views/${kept}`, { key });
      expectError(refused, 409, 'CONFLICT');
      expect(refused.body.error).to.include(id);
      expectSuccess(await started.call('DELETE', `/v1/shares/${id}`, { key }), 204);
      expectSuccess(await started.call('DELETE', `/v1/views/${kept}`, { key }), 204);
    });

    protectedRouteCases(
      server,
      { method: 'GET', path: '/v1/shares/shr_none', wrongMethods: ['POST'] },
      'read:data',
      'trackOnly',
    );
    for (const [method, body, wrong] of [
      ['PATCH', { name: 'x' }, 'PUT'],
      ['DELETE', undefined, 'POST'],
    ] as const) {
      const route = { method, path: '/v1/shares/shr_none', body, wrongMethods: [wrong] };
      protectedRouteCases(server, route, 'manage:websites', 'readOnly');
    }
  });
});
