/** Holds the audit to contract.md section 7: every write leaves one record, a refused one none, and they can be read. */
import { expect } from 'chai';
import { ApiError } from '../../../../services/shared/errors/api-error.ts';
import { MOST_LOOKED_AT } from '../../../../services/shared/ports/document-store.ts';
import { firstIdAt } from '../../../../services/shared/ports/ids.ts';
import {
  type ResourcesService,
  sessionOf,
  startResourcesService,
} from '../../../support/start-resources-service.ts';

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
      await service.documents.users.insert({ ...user, home: '*', passwordHash: 'x' });
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

  it('finds the records of a range of time, its end left out, and looks at none outside it', async () => {
    await createKey();
    const [first] = await service.documents.auditRecords.all('org_one');
    if (!first) throw new Error('the record is missing');
    const { version: _version, createdAt: _createdAt, updatedAt: _updatedAt, ...record } = first;
    await service.documents.auditRecords.remove('org_one', first.id);
    const HOUR = 3_600_000;
    const start = service.clock.now();
    const at = (hours: number) => new Date(start + hours * HOUR).toISOString();
    for (let hour = 0; hour < 6; hour++) {
      const now = service.clock.now();
      // Its identifier was made a moment later, as when the clock is set back.
      const id = `${firstIdAt('aud', now + 2)}${String(hour).padStart(16, '0')}`;
      await service.documents.auditRecords.insert({ ...record, id, targetId: `key_${hour}` });
      service.clock.advance(HOUR);
    }
    const of = async (query: string): Promise<string[]> => {
      const { data, nextCursor } = await records(query);
      expect(nextCursor, query).to.equal(undefined);
      return data.map(({ targetId }: { targetId: string }) => targetId.slice('key_'.length));
    };
    expect(await of(`?from=${at(2)}`)).to.deep.equal(['5', '4', '3', '2']);
    expect(await of(`?to=${at(2)}`)).to.deep.equal(['1', '0']);
    expect(await of(`?from=${at(1)}&to=${at(4)}&sort=at`)).to.deep.equal(['1', '2', '3']);
    expect(await of(`?from=${encodeURIComponent('2026-03-01T14:00:00+01:00')}&to=${at(2)}`)).to.deep.equal([
      '1',
    ]);
    expect(await of(`?from=${at(7)}`)).to.deep.equal([]);
    for (const sort of ['at', '-at']) {
      const seen: string[] = [];
      let cursor = '';
      do {
        const { data, nextCursor } = await records(
          `?from=${at(1)}&to=${at(5)}&sort=${sort}&limit=1${cursor}`,
        );
        seen.push(...data.map(({ targetId }: { targetId: string }) => targetId.slice('key_'.length)));
        cursor = nextCursor === undefined ? '' : `&cursor=${nextCursor}`;
      } while (cursor !== '');
      expect(seen, sort).to.deep.equal(sort === 'at' ? ['1', '2', '3', '4'] : ['4', '3', '2', '1']);
    }
  });

  it('refuses a range that is none, and says what is one', async () => {
    const refusal = async (query: string) => {
      const { status, body } = await service.ask(OWNER, 'GET', `/v1/audit?${query}`);
      return [status, body.details];
    };
    const allowed = 'an ISO 8601 instant up to the year 9999 in UTC, such as "2027-01-31T00:00:00Z"';
    for (const field of ['from', 'to']) {
      for (const value of ['2026-03-01', 'yesterday', '']) {
        expect(await refusal(`${field}=${value}`)).to.deep.equal([
          400,
          [{ field, message: `Allowed: ${allowed}.` }],
        ]);
      }
    }
    const none = [400, [{ field: 'to', message: 'Allowed: an instant after `from`.' }]];
    const instant = '2026-03-01T00:00:00Z';
    expect(await refusal(`from=${instant}&to=${instant}`)).to.deep.equal(none);
    expect(await refusal(`from=2026-03-01T01:00:00%2B01:00&to=${instant}`)).to.deep.equal(none);
  });

  it('looks at a bounded number of records at a time, and goes on where it stopped', async () => {
    const { id } = await createKey();
    const [first] = await service.documents.auditRecords.all('org_one');
    if (!first) throw new Error('the record is missing');
    const { version: _version, createdAt: _createdAt, updatedAt: _updatedAt, ...record } = first;
    for (let n = 0; n < MOST_LOOKED_AT; n++) {
      const newer = `aud_z${String(n).padStart(4, '0')}`;
      await service.documents.auditRecords.insert({ ...record, id: newer, action: 'x' });
    }
    const { data, nextCursor } = await records('?action=api-key.create');
    expect(data).to.deep.equal([]);
    const found = (await records(`?action=api-key.create&cursor=${nextCursor}`)).data;
    expect(found.map((record: { targetId: string }) => record.targetId)).to.deep.equal([id]);
  });

  it('names people and keys only when asked for: members, who waits, and every key of the records', async () => {
    const user = { id: 'usr_one', organizationId: 'usr_one', email: 'ada@example.com', name: 'Ada' };
    await service.documents.users.insert({ ...user, home: '*', passwordHash: 'x' });
    const membership = { id: 'mem_one', organizationId: 'org_one', userId: 'usr_one' };
    await service.documents.memberships.insert({ ...membership, role: 'owner' });
    const body = { email: 'grace@example.com', role: 'member' };
    const invited = (await service.ask(OWNER, 'POST', '/v1/members', { body })).body.data.id;
    const { id } = await createKey();
    const foreign = sessionOf('owner', { organizationId: 'org_two' });
    await service.ask(foreign, 'POST', '/v1/api-keys', { body: KEY });
    const made = [{ id, kind: 'key', name: 'Server' }];
    for (let n = 0; n < 100; n++) await createKey();

    const { data, names } = await records('?names=true&action=member.invite');
    expect(data).to.have.length(1);
    expect(names.slice(0, 3)).to.deep.equal([
      { id: 'usr_one', kind: 'user', name: 'Ada' },
      { id: 'mem_one', kind: 'member', name: 'Ada' },
      { id: invited, kind: 'member', name: 'grace@example.com' },
    ]);
    // The newest hundred keys, and none of another organization.
    expect(names.slice(3)).to.have.length(100);
    expect(names).to.not.deep.include(made[0]);
    const oldest = await records(`?names=true&search=${id}`);
    expect(oldest.names.slice(3)).to.have.length(101).and.to.deep.include(made[0]);
    expect(await records('?action=member.invite')).to.not.have.property('names');
    const refused = await service.ask(OWNER, 'GET', '/v1/audit?names=1');
    expect(refused.body.details).to.deep.equal([{ field: 'names', message: 'Allowed: true.' }]);
  });

  it('names what the records tell of, as long as it is there, and no saved view', async () => {
    const made = async (path: string, body: object) =>
      (await service.ask(OWNER, 'POST', path, { body })).body.data as { id: string };
    const flag = { key: 'beta', name: 'Beta', type: 'boolean', defaultValue: true };
    const { id } = await made('/v1/flags', flag);
    const gone = await made('/v1/flags', { ...flag, key: 'gone', name: 'Gone' });
    await service.ask(OWNER, 'DELETE', `/v1/flags/${gone.id}`);
    const group = await made('/v1/target-groups', { name: 'Friends', rules: [] });
    const { data, names } = await records('?names=true');
    expect(data.map(({ targetId }: { targetId: string }) => targetId)).to.include(gone.id);
    expect(names).to.have.deep.members([
      { id, kind: 'flag', name: 'Beta' },
      { id: group.id, kind: 'target-group', name: 'Friends' },
    ]);
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
