/** Holds the audit to contract.md section 7: every write leaves one record, a refused one none, and they can be read. */
import { expect } from 'chai';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import {
  type ResourcesService,
  sessionOf,
  startResourcesService,
} from '../support/start-resources-service.ts';

const OWNER = sessionOf('owner');
const ADMIN = sessionOf('admin');
const KEY = { name: 'Server', scopes: ['track:events'], access: { level: 'global' } };

describe('audit records over REST', () => {
  let service: ResourcesService;

  beforeEach(async () => {
    service = await startResourcesService();
  });
  afterEach(() => service.close());

  const records = async (query = '', caller = OWNER) =>
    (await service.ask(caller, 'GET', `/v1/audit${query}`)).body;
  const createKey = async () => (await service.ask(OWNER, 'POST', '/v1/api-keys', { body: KEY })).body.data;

  it('says who wrote what, when and from where, with the names of the fields and none of their values', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.7', 'x-request-id': 'request-1' };
    const { body } = await service.ask(OWNER, 'POST', '/v1/api-keys', { body: KEY, headers });
    const { data } = await records();
    expect(data).to.have.length(1);
    expect(data[0].id).to.match(/^aud_/);
    expect({ ...data[0], id: '' }).to.deep.equal({
      id: '',
      at: '2026-03-01T12:00:00.000Z',
      actor: { kind: 'session', id: 'ses_owner', userId: 'usr_owner' },
      action: 'api-key.create',
      targetId: body.data.id,
      fields: ['name', 'scopes', 'access'],
      address: '198.51.100.7',
      requestId: 'request-1',
    });
    expect(JSON.stringify(data)).to.not.include(body.data.secret).and.not.include('Server');
  });

  it('holds one record of every write, newest first, each under its own name', async () => {
    const { id } = await createKey();
    await service.ask(ADMIN, 'PATCH', `/v1/api-keys/${id}`, { body: { enabled: false } });
    await service.ask(OWNER, 'POST', `/v1/api-keys/${id}/rotate`);
    await service.ask(OWNER, 'POST', `/v1/api-keys/${id}/revoke`);
    const body = { email: 'grace@example.com', role: 'member' };
    const invited = (await service.ask(OWNER, 'POST', '/v1/members', { body })).body.data.id;
    await service.ask(OWNER, 'DELETE', `/v1/members/${invited}`);
    for (const name of ['one', 'two']) {
      const user = { id: `usr_${name}`, organizationId: `usr_${name}`, email: `${name}@example.com` };
      await service.documents.users.insert({ ...user, passwordHash: 'x' });
      const membership = { id: `mem_${name}`, organizationId: 'org_one', userId: `usr_${name}` };
      await service.documents.memberships.insert({ ...membership, role: 'owner' });
    }
    await service.ask(OWNER, 'PATCH', '/v1/members/mem_one', { body: { role: 'viewer' } });
    const { data } = await records();
    expect(
      data.map((record: { action: string; targetId: string }) => [record.action, record.targetId]),
    ).to.deep.equal([
      ['member.change', 'mem_one'],
      ['member.remove', invited],
      ['member.invite', invited],
      ['api-key.revoke', id],
      ['api-key.rotate', id],
      ['api-key.change', id],
      ['api-key.create', id],
    ]);
    expect(data[5]).to.deep.include({ fields: ['enabled'] });
    expect(data[5].actor).to.include({ userId: 'usr_admin' });
  });

  it('records nothing for a refused write, and nothing for one that changed nothing', async () => {
    const { id } = await createKey();
    await service.ask(OWNER, 'POST', `/v1/api-keys/${id}/revoke`);
    const before = await records();
    await service.ask(OWNER, 'POST', `/v1/api-keys/${id}/revoke`);
    await service.ask(OWNER, 'POST', `/v1/api-keys/${id}/rotate`);
    await service.ask(OWNER, 'POST', '/v1/api-keys', { body: {} });
    await service.ask(sessionOf('viewer'), 'POST', '/v1/api-keys', { body: KEY });
    expect(await records()).to.deep.equal(before);
  });

  it('pages from the newest to the oldest without gap or overlap, over the own organization alone', async () => {
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.unshift((await createKey()).id);
    const foreign = sessionOf('owner', { organizationId: 'org_two' });
    await service.ask(foreign, 'POST', '/v1/api-keys', { body: KEY });
    const seen: string[] = [];
    let query = '?limit=2';
    for (let page = 0; page < 3; page++) {
      const { data, nextCursor } = await records(query);
      seen.push(...data.map((record: { targetId: string }) => record.targetId));
      query = `?limit=2&cursor=${nextCursor}`;
    }
    expect(seen).to.deep.equal(made);
    expect((await records('?limit=5')).nextCursor).to.equal(undefined);
    expect((await records('', foreign)).data).to.have.length(1);
    expect((await service.ask(OWNER, 'GET', '/v1/audit?cursor=x%2F')).status).to.equal(400);
  });

  it('finds records by action and by text, and turns the order round', async () => {
    const made: string[] = [];
    for (let i = 0; i < 3; i++) made.push((await createKey()).id);
    await service.ask(ADMIN, 'POST', `/v1/api-keys/${made[1]}/revoke`);
    const targets = async (query: string): Promise<string[]> =>
      (await records(query)).data.map((record: { targetId: string }) => record.targetId);
    expect(await targets('?action=api-key.revoke')).to.deep.equal([made[1]]);
    expect(await targets('?action=api-key')).to.deep.equal([]);
    expect(await targets('?action=api-key.create&sort=at')).to.deep.equal(made);
    expect(await targets('?sort=-at')).to.deep.equal([made[1], ...[...made].reverse()]);
    expect(await targets('?search=USR_ADMIN')).to.deep.equal([made[1]]);
    expect(await targets(`?search=${made[1]}&action=api-key.create`)).to.deep.equal([made[1]]);
    const { data, nextCursor } = await records('?action=api-key.create&sort=at&limit=2');
    expect(data).to.have.length(2);
    expect(await targets(`?action=api-key.create&sort=at&limit=2&cursor=${nextCursor}`)).to.deep.equal([
      made[2],
    ]);
  });

  it('looks at a bounded number of records at a time, and goes on where it stopped', async () => {
    const { id } = await createKey();
    const [first] = await service.documents.auditRecords.all('org_one');
    if (!first) throw new Error('the record is missing');
    const { list } = service.documents.auditRecords;
    const endless = Array.from({ length: 5_000 }, (_, index) => ({
      ...first,
      id: `aud_z${index}`,
      action: 'x',
    }));
    let given = 0;
    service.documents.auditRecords.list = async (organizationId, page) => {
      if (given === endless.length) return list(organizationId, { limit: page.limit });
      given += page.limit;
      return endless.slice(given - page.limit, given);
    };
    const { data, nextCursor } = await records('?action=api-key.create');
    expect(data).to.deep.equal([]);
    const found = (await records(`?action=api-key.create&cursor=${nextCursor}`)).data;
    expect(found.map((record: { targetId: string }) => record.targetId)).to.deep.equal([id]);
  });

  it('refuses an unknown order and unknown parameters by name', async () => {
    const answer = await service.ask(OWNER, 'GET', '/v1/audit?sort=action&by=me');
    expect(answer.body.details).to.deep.equal([
      { field: 'sort', message: 'Allowed: -at, at.' },
      { field: 'by', message: 'Unknown field.' },
    ]);
  });

  it('answers a write whose record cannot be stored with 503, not with success', async () => {
    service.documents.auditRecords.insert = () => Promise.reject(new ApiError('SERVICE_UNAVAILABLE'));
    const answer = await service.ask(OWNER, 'POST', '/v1/api-keys', { body: KEY });
    expect([answer.status, answer.body.code]).to.deep.equal([503, 'UPSTREAM_UNAVAILABLE']);
    expect(answer.body).to.not.have.property('data');
  });
});
