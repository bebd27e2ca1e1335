/** The contract of annotations, status by status, through the whole server. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { bodyCases, protectedRouteCases } from '../support/route-cases.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

const ANNOTATION = { websiteId: 'web_shop', at: '2026-01-15', text: 'Sale', shared: true };

describe("the contract of the annotations' endpoints", () => {
  let started: TestServer;
  let one: string;
  const server = () => started;
  const create = (asked: object = {}, key = started.keys.all) =>
    started.call('POST', '/v1/annotations', { key, body: { ...ANNOTATION, ...asked } });

  before(async () => {
    started = await startTidegate();
    const made = await create({ text: 'Fixed' });
    expectSuccess(made, 201);
    one = `/v1/annotations/${made.body.data.id}`;
  });
  after(() => started.close());

  // Before the cases that use up the window of the other organization.
  it('is as if it did not exist to another organization', async () => {
    const key = started.keys.free;
    for (const [method, body] of [['GET'], ['PATCH', { text: 'Stolen' }], ['DELETE']] as const) {
      expectError(await started.call(method, one, { key, body }), 404, 'NOT_FOUND');
    }
    expect((await started.call('GET', '/v1/annotations', { key })).body.data).to.deep.equal([]);
  });

  describe('POST /v1/annotations', () => {
    const route = {
      method: 'POST',
      path: '/v1/annotations',
      body: { ...ANNOTATION, text: '' },
      wrongMethods: ['PUT', 'DELETE'],
    };

    it('answers 201 with a day as it came, and with an instant in UTC', async () => {
      const day = await create();
      expectSuccess(day, 201);
      const { id, createdAt, updatedAt, ...data } = day.body.data;
      expect(id).to.match(/^ann_/);
      expect(createdAt).to.equal(updatedAt);
      expect(day.headers.get('location')).to.equal(`/v1/annotations/${id}`);
      expect(day.headers.get('etag')).to.equal('"1"');
      expect(data).to.deep.equal({ ...ANNOTATION, organizationId: 'org_main', createdBy: 'key_all' });
      const instant = await create({ at: '2026-01-15T09:30:00+01:00' });
      expect(instant.body.data.at).to.equal('2026-01-15T08:30:00.000Z');
    });

    it('answers 400 with every fault at once', async () => {
      for (const at of ['2026-02-30', '15.1.2026', '2026-01-15T09:30:00', 5, undefined]) {
        const answer = await create({ at, text: 'x'.repeat(501), shared: false, day: '2026-01-15' });
        expectError(answer, 400, 'VALIDATION_ERROR');
        const fields = answer.body.details.map(({ field }: { field: string }) => field);
        expect(fields, String(at)).to.have.members(['at', 'text', 'shared', 'day']);
      }
    });

    it('answers 403 ACCESS_DENIED for a website out of reach', async () => {
      for (const websiteId of ['web_free', 'web_none'])
        expectError(await create({ websiteId }), 403, 'ACCESS_DENIED');
      expectError(await create({ websiteId: 'web_blog' }, started.keys.shopOnly), 403, 'ACCESS_DENIED');
    });

    protectedRouteCases(server, route, 'manage:websites', 'readOnly');
    bodyCases(server, route, { maxBytes: 16_384, acceptsText: false });
  });

  describe('GET /v1/annotations', () => {
    it('answers 200 with those of one website, the newest first when asked', async () => {
      for (const at of ['2027-01-01', '2028-01-01']) await create({ at, websiteId: 'web_blog' });
      const path = '/v1/annotations?website_id=web_blog&sort=-at';
      const found = await started.call('GET', path, { key: started.keys.readOnly });
      expect(found.body.data.map(({ at }: { at: string }) => at)).to.deep.equal(['2028-01-01', '2027-01-01']);
      expectError(await started.call('GET', path, { key: started.keys.shopOnly }), 403, 'ACCESS_DENIED');
    });

    protectedRouteCases(
      server,
      { method: 'GET', path: '/v1/annotations', wrongMethods: ['PUT'] },
      'read:data',
      'trackOnly',
    );
  });

  describe('one of /v1/annotations', () => {
    it('is read, changed at its version, and deleted', async () => {
      const { all: key } = started.keys;
      const made = (await create({ text: 'Once' })).body.data;
      const path = `/v1/annotations/${made.id}`;
      expect((await started.call('GET', path, { key })).body.data).to.deep.equal(made);
      const options = { key, body: { text: 'Twice' }, headers: { 'if-match': '"1"' } };
      const changed = await started.call('PATCH', path, options);
      expect(changed.body.data).to.include({ at: '2026-01-15', text: 'Twice' });
      expectError(await started.call('PATCH', path, options), 412, 'PRECONDITION_FAILED');
      expectSuccess(await started.call('DELETE', path, { key }), 204);
      expectError(await started.call('GET', path, { key }), 404, 'NOT_FOUND');
    });

    protectedRouteCases(
      server,
      { method: 'GET', path: '/v1/annotations/ann_none', wrongMethods: ['POST'] },
      'read:data',
      'trackOnly',
    );
    for (const [method, body, wrong] of [
      ['PATCH', { text: 'x' }, 'PUT'],
      ['DELETE', undefined, 'POST'],
    ] as const) {
      protectedRouteCases(
        server,
        { method, path: '/v1/annotations/ann_none', body, wrongMethods: [wrong] },
        'manage:websites',
        'readOnly',
      );
    }
  });
});
