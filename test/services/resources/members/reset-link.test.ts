/** Who gets a reset link for whom, and what is kept of it: POST /v1/members/{id}/reset at the service itself. */
import { expect } from 'chai';
import { hashOneTimeToken } from '../../../../services/shared/credentials/one-time-token.ts';
import { ROLES, type Role } from '../../../../services/shared/model/user.ts';
import {
  type ResourcesService,
  type ServiceAnswer,
  sessionOf,
  startResourcesService,
} from '../../../support/start-resources-service.ts';

const HOUR_MS = 3_600_000;

describe('reset links of members', () => {
  let service: ResourcesService;

  beforeEach(async () => {
    service = await startResourcesService();
    for (const role of ROLES) {
      await addMember(role, role);
      await addMember(`other_${role}`, role);
    }
  });
  afterEach(() => service.close());

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
    await join(name, 'org_one', role);
  }
  const join = (name: string, organizationId: string, role: Role) =>
    service.documents.memberships.insert({
      id: `mem_${organizationId === 'org_one' ? '' : organizationId}${name}`,
      organizationId,
      userId: `usr_${name}`,
      role,
    });
  const reset = (by: Role, id: string, organizationId = 'org_one') =>
    service.ask(sessionOf(by, { organizationId }), 'POST', `/v1/members/${id}/reset`);
  const kept = () => service.documents.passwordResets.all('org_one');
  function expectCode(answer: ServiceAnswer, status: number, code: string, text: string): void {
    expect([answer.status, answer.body?.code]).to.deep.equal([status, code]);
    expect(answer.body.error).to.include(text);
  }

  it('hold a token for an hour, shown this once; its hash alone is kept', async () => {
    const answer = await reset('admin', 'mem_viewer');
    expect(answer.status).to.equal(201);
    expect(answer.headers.get('cache-control')).to.equal('private, no-store');
    const { token, expiresAt, ...more } = answer.body.data;
    expect(more).to.deep.equal({});
    expect(token).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(expiresAt).to.equal(new Date(service.clock.now() + HOUR_MS).toISOString());
    const [stored, ...others] = await kept();
    expect(others).to.deep.equal([]);
    expect(stored).to.include({
      id: 'mem_viewer',
      userId: 'usr_viewer',
      tokenHash: hashOneTimeToken(token),
      spentAt: null,
      createdBy: 'usr_admin',
    });
    expect(JSON.stringify(stored)).to.not.include(token).and.not.include('argon2id');
    const records = await service.documents.auditRecords.all('org_one');
    expect(records.map(({ action, targetId }) => [action, targetId])).to.deep.equal([
      ['member.reset-password', 'mem_viewer'],
    ]);
    expect(JSON.stringify(records)).to.not.include(token);
  });

  it('are made for those whose role one may give, and never for oneself', async () => {
    for (const role of ROLES) {
      expect((await reset('owner', `mem_other_${role}`)).status, `owner for ${role}`).to.equal(201);
      const byAdmin = await reset('admin', `mem_other_${role}`);
      if (role === 'owner') expectCode(byAdmin, 403, 'ACCESS_DENIED', 'Only an owner');
      else expect(byAdmin.status, `admin for ${role}`).to.equal(201);
      for (const by of ['member', 'viewer'] as const)
        expectCode(await reset(by, `mem_other_${role}`), 403, 'ACCESS_DENIED', '');
    }
    for (const role of ['owner', 'admin'] as const)
      expectCode(await reset(role, `mem_${role}`), 403, 'ACCESS_DENIED', 'POST /v1/auth/password');
    expect(await kept()).to.have.length(ROLES.length);
  });

  it('are refused for who belongs elsewhere too, and the text says who helps', async () => {
    await join('viewer', 'org_two', 'viewer');
    expectCode(await reset('owner', 'mem_viewer'), 403, 'ACCESS_DENIED', 'tidegate users reset-password');
    expectCode(await reset('owner', 'mem_org_twoviewer', 'org_two'), 403, 'ACCESS_DENIED', 'tidegate users');
    expect(await kept()).to.deep.equal([]);
  });

  it('are not made for a member who runs the service, by nobody of an organization', async () => {
    const { users } = service.documents;
    const user = await users.get('usr_viewer', 'usr_viewer');
    await users.update('usr_viewer', 'usr_viewer', user?.version ?? 0, { isOperator: true });
    expectCode(await reset('owner', 'mem_viewer'), 403, 'ACCESS_DENIED', 'tidegate users');
    expect(await kept()).to.deep.equal([]);
  });

  it('are 404 for an invitation, an unknown member and one of another organization', async () => {
    const body = { email: 'grace@example.com', role: 'viewer' };
    const { id } = (await service.ask(sessionOf('owner'), 'POST', '/v1/members', { body })).body.data;
    for (const unknown of [id, 'mem_none', 'usr_viewer'])
      expectCode(await reset('owner', unknown), 404, 'NOT_FOUND', unknown);
    expectCode(await reset('owner', 'mem_viewer', 'org_two'), 404, 'NOT_FOUND', 'mem_viewer');
  });

  it('replace one another, and those that expired go with the next', async () => {
    const first = (await reset('owner', 'mem_viewer')).body.data.token;
    await reset('owner', 'mem_member');
    service.clock.advance(HOUR_MS / 2);
    const second = (await reset('admin', 'mem_viewer')).body.data.token;
    expect((await kept()).map(({ tokenHash }) => tokenHash)).to.include(hashOneTimeToken(second));
    const { passwordResets } = service.documents;
    expect(await passwordResets.findUnique('tokenHash', [hashOneTimeToken(first)])).to.equal(null);
    service.clock.advance(HOUR_MS / 2);
    await reset('owner', 'mem_admin');
    expect((await kept()).map(({ id }) => id)).to.have.members(['mem_viewer', 'mem_admin']);
  });

  it('go with their member', async () => {
    await reset('owner', 'mem_viewer');
    await service.ask(sessionOf('owner'), 'DELETE', '/v1/members/mem_viewer');
    expect(await kept()).to.deep.equal([]);
  });
});
