/** Holds /v1/members to contract.md section 7, at the service itself. */
import { expect } from 'chai';
import type { Caller } from '../../../../services/shared/access/caller.ts';
import { hashOneTimeToken } from '../../../../services/shared/credentials/one-time-token.ts';
import type { Role } from '../../../../services/shared/model/user.ts';
import {
  type ResourcesService,
  type ServiceAnswer,
  sessionOf,
  startResourcesService,
} from '../../../support/start-resources-service.ts';

const OWNER = sessionOf('owner');
const ADMIN = sessionOf('admin');
const FOREIGN = sessionOf('owner', { organizationId: 'org_two' });

describe('members over REST', () => {
  let service: ResourcesService;

  async function addMember(name: string, role: Role): Promise<void> {
    const id = `usr_${name}`;
    const user = {
      id,
      organizationId: id,
      email: `${name}@example.com`,
      home: '*',
      passwordHash: 'argon2id',
    };
    await service.documents.users.insert(user);
    await service.documents.memberships.insert({
      id: `mem_${name}`,
      organizationId: 'org_one',
      userId: id,
      role,
    });
  }

  beforeEach(async () => {
    service = await startResourcesService();
    await addMember('owner', 'owner');
    await addMember('admin', 'admin');
    await addMember('viewer', 'viewer');
  });
  afterEach(() => service.close());

  const invite = (caller: Caller, email: string, role: string) =>
    service.ask(caller, 'POST', '/v1/members', { body: { email, role } });
  const setRole = (caller: Caller, id: string, role: string, headers: Record<string, string> = {}) =>
    service.ask(caller, 'PATCH', `/v1/members/${id}`, { body: { role }, headers });
  const remove = (caller: Caller, id: string, headers: Record<string, string> = {}) =>
    service.ask(caller, 'DELETE', `/v1/members/${id}`, { headers });
  const list = async (query = '', caller = OWNER) =>
    (await service.ask(caller, 'GET', `/v1/members${query}`)).body.data;
  function expectCode(answer: ServiceAnswer, status: number, code: string): void {
    expect([answer.status, answer.body?.code]).to.deep.equal([status, code]);
  }
  async function roleOf(id: string): Promise<string | undefined> {
    return (await service.documents.memberships.get('org_one', id))?.role;
  }

  it('lists members and waiting invitations of the organization alone, nothing secret in them', async () => {
    service.clock.advance(1_000);
    await invite(OWNER, 'Grace@Example.com', 'member');
    expect(await list()).to.have.length(4);
    expect((await list('?search=GRACE'))[0]).to.include({
      status: 'invited',
      email: 'grace@example.com',
      role: 'member',
      userId: null,
      name: null,
      expiresAt: '2026-03-08T12:00:01.000Z',
    });
    expect((await list('?sort=-email')).map((member: { email: string }) => member.email)).to.deep.equal([
      'viewer@example.com',
      'owner@example.com',
      'grace@example.com',
      'admin@example.com',
    ]);
    expect(JSON.stringify(await list())).to.not.match(/hash"|argon2/i);
    expect(await list('', FOREIGN)).to.deep.equal([]);
  });

  it('invites with 201, Location and a token, shown this once and stored as its SHA-256', async () => {
    const answer = await invite(ADMIN, 'grace@example.com', 'member');
    expect(answer.status).to.equal(201);
    const { token, ...invited } = answer.body.data;
    expect(token).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(answer.headers.get('location')).to.equal(`/v1/members/${invited.id}`);
    expect(answer.headers.get('cache-control')).to.equal('private, no-store');
    expect((await service.ask(ADMIN, 'GET', `/v1/members/${invited.id}`)).body.data).to.deep.equal(invited);
    expect(service.documents.text()).to.not.include(token);
    expect(await service.documents.invitations.findUnique('tokenHash', [hashOneTimeToken(token)])).to.include(
      {
        organizationId: 'org_one',
        email: 'grace@example.com',
        role: 'member',
        expiresAt: '2026-03-08T12:00:00.000Z',
        acceptedAt: null,
        createdBy: 'usr_admin',
      },
    );
  });

  it('shows what a member is called, and searches it', async () => {
    const { version } = (await service.documents.users.get('usr_viewer', 'usr_viewer')) ?? { version: 0 };
    await service.documents.users.update('usr_viewer', 'usr_viewer', version, { name: 'Vera Lopez' });
    expect(await list('?search=lopez')).to.have.length(1);
    expect((await list('?search=lopez'))[0]).to.include({ name: 'Vera Lopez', email: 'viewer@example.com' });
    expect((await list('?search=admin'))[0]).to.include({ name: null });
  });

  it('refuses a faulty invitation with every fault at once', async () => {
    const body = { email: 'grace', role: 'boss', name: 'Grace' };
    const answer = await service.ask(OWNER, 'POST', '/v1/members', { body });
    expectCode(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.details).to.deep.equal([
      { field: 'email', message: 'Allowed: an e-mail address.' },
      { field: 'role', message: 'Allowed: owner, admin, member, viewer.' },
      { field: 'name', message: 'Unknown field.' },
    ]);
  });

  it('refuses to invite who is a member already with CONFLICT', async () => {
    expectCode(await invite(OWNER, 'VIEWER@example.com', 'admin'), 409, 'CONFLICT');
  });

  it('ends the earlier invitation when an address is invited again', async () => {
    const first = (await invite(OWNER, 'grace@example.com', 'member')).body.data.token;
    await invite(OWNER, 'grace@example.com', 'viewer');
    expect(await service.documents.invitations.findUnique('tokenHash', [hashOneTimeToken(first)])).to.equal(
      null,
    );
    expect(await list('?search=grace')).to.have.length(1);
  });

  it('shows no invitation that has ended or was accepted, and removes none', async () => {
    const { id } = (await invite(OWNER, 'grace@example.com', 'member')).body.data;
    const other = (await invite(OWNER, 'other@example.com', 'member')).body.data;
    await service.documents.invitations.update('org_one', other.id, 1, {
      acceptedAt: '2026-03-01T12:00:00.000Z',
    });
    service.clock.advance(7 * 86_400_000);
    expect(await list()).to.have.length(3);
    for (const gone of [id, other.id]) {
      expectCode(await service.ask(OWNER, 'GET', `/v1/members/${gone}`), 404, 'NOT_FOUND');
      expectCode(await remove(OWNER, gone), 404, 'NOT_FOUND');
    }
  });

  it('withdraws an invitation', async () => {
    const { id } = (await invite(OWNER, 'grace@example.com', 'member')).body.data;
    expect((await remove(ADMIN, id)).status).to.equal(204);
    expect(await service.documents.invitations.all('org_one')).to.deep.equal([]);
  });

  it('changes a role and removes a member, once', async () => {
    const changed = await setRole(ADMIN, 'mem_viewer', 'member');
    expect(changed.status).to.equal(200);
    expect(changed.body.data).to.include({ role: 'member', email: 'viewer@example.com', status: 'active' });
    const removed = await remove(ADMIN, 'mem_viewer');
    expect([removed.status, removed.body]).to.deep.equal([204, null]);
    expectCode(await remove(ADMIN, 'mem_viewer'), 404, 'NOT_FOUND');
    expect(await service.documents.users.get('usr_viewer', 'usr_viewer')).to.not.equal(null);
  });

  it('removes with a member the account that its invitation made, and no other of its email', async () => {
    const { users, memberships } = service.documents;
    const account = { email: 'eve@example.com', passwordHash: 'argon2id' };
    for (const [id, home] of [
      ['usr_invited', 'org_one'],
      ['usr_proven', '*'],
    ] as const) {
      await users.insert({ id, organizationId: id, home, ...account });
      const membership = { id: `mem_${id}`, organizationId: 'org_one', userId: id, role: 'member' } as const;
      if (home === 'org_one') await memberships.insert(membership);
    }
    expectCode(await invite(OWNER, 'Eve@Example.com', 'member'), 409, 'CONFLICT');
    expect((await remove(OWNER, 'mem_usr_invited')).status).to.equal(204);
    expect((await service.documents.usersOf('eve@example.com')).map(({ id }) => id)).to.deep.equal([
      'usr_proven',
    ]);
    expect((await invite(OWNER, 'eve@example.com', 'member')).status).to.equal(201);
    expect((await remove(ADMIN, 'mem_viewer')).status).to.equal(204);
    expect(await users.get('usr_viewer', 'usr_viewer')).to.include({ home: '*' });
  });

  it('withdraws the waiting invitations of who is removed or made less, as far as it may not give them', async () => {
    await setRole(OWNER, 'mem_admin', 'owner');
    const inviter = sessionOf('owner', { userId: 'usr_admin' });
    await invite(OWNER, 'kept@example.com', 'admin');
    await invite(inviter, 'owner.to.be@example.com', 'owner');
    await invite(inviter, 'member.to.be@example.com', 'member');
    const invited = async () => {
      const invitations = await service.documents.invitations.all('org_one');
      return invitations.map(({ email }) => email).sort();
    };
    await setRole(OWNER, 'mem_admin', 'admin');
    expect(await invited()).to.deep.equal(['kept@example.com', 'member.to.be@example.com']);
    await remove(OWNER, 'mem_admin');
    expect(await invited()).to.deep.equal(['kept@example.com']);
  });

  it('honours If-Match: 412 for another version, and nothing is written', async () => {
    const before = service.documents.text();
    expectCode(
      await setRole(OWNER, 'mem_viewer', 'admin', { 'if-match': '"2"' }),
      412,
      'PRECONDITION_FAILED',
    );
    expectCode(await remove(OWNER, 'mem_viewer', { 'if-match': '"2"' }), 412, 'PRECONDITION_FAILED');
    expect(service.documents.text()).to.equal(before);
    const { headers } = await service.ask(OWNER, 'GET', '/v1/members/mem_viewer');
    const tag = headers.get('etag') ?? '';
    expect((await setRole(OWNER, 'mem_viewer', 'admin', { 'if-match': tag })).status).to.equal(200);
  });

  it('keeps the last owner: neither removed nor made less, with CONFLICT', async () => {
    expectCode(await setRole(OWNER, 'mem_owner', 'admin'), 409, 'CONFLICT');
    expectCode(await remove(OWNER, 'mem_owner'), 409, 'CONFLICT');
    expect((await setRole(OWNER, 'mem_owner', 'owner')).status).to.equal(200);
    await setRole(OWNER, 'mem_admin', 'owner');
    expect((await setRole(OWNER, 'mem_owner', 'admin')).status).to.equal(200);
    expect(await roleOf('mem_owner')).to.equal('admin');
  });

  it('keeps one owner when all owners are removed at the same moment', async () => {
    await setRole(OWNER, 'mem_admin', 'owner');
    await setRole(OWNER, 'mem_viewer', 'owner');
    const ids = ['mem_owner', 'mem_admin', 'mem_viewer'];
    const answers = await Promise.all(ids.map((id) => remove(OWNER, id)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([204, 204, 409]);
    expect(await service.documents.memberships.all('org_one')).to.have.length(1);
  });

  it('lets no admin make, change, invite or remove an owner', async () => {
    const waiting = (await invite(OWNER, 'grace@example.com', 'owner')).body.data.id;
    const before = service.documents.text();
    for (const answer of [
      await setRole(ADMIN, 'mem_viewer', 'owner'),
      await setRole(ADMIN, 'mem_admin', 'owner'),
      await setRole(ADMIN, 'mem_owner', 'viewer'),
      await remove(ADMIN, 'mem_owner'),
      await invite(ADMIN, 'new@example.com', 'owner'),
      await invite(ADMIN, 'grace@example.com', 'viewer'),
      await remove(ADMIN, waiting),
    ]) {
      expectCode(answer, 403, 'ACCESS_DENIED');
    }
    expect(service.documents.text()).to.equal(before);
  });

  it('answers NOT_FOUND alike for a member that is unknown or of another organization', async () => {
    for (const [caller, id] of [
      [OWNER, 'mem_none'],
      [FOREIGN, 'mem_viewer'],
    ] as const) {
      expectCode(await service.ask(caller, 'GET', `/v1/members/${id}`), 404, 'NOT_FOUND');
      expectCode(await setRole(caller, id, 'admin'), 404, 'NOT_FOUND');
      expectCode(await remove(caller, id), 404, 'NOT_FOUND');
    }
  });
});
