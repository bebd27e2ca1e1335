/** A new password by a reset link: once, for nobody but the member it was made for, and only while it may be. */
import { hash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createReset } from '../../../../services/resources/members/reset-link.ts';
import { resetPassword } from '../../../../services/resources/users/write-user.ts';
import type { Role } from '../../../../services/shared/model/user.ts';
import { createIds } from '../../../../services/shared/ports/ids.ts';
import { expectError } from '../../../support/answers.ts';
import {
  cookiesOf,
  PASSWORD,
  type SessionGateway,
  startSessionGateway,
} from '../../../support/start-session-gateway.ts';
import type { Answer } from '../../../support/start-tidegate.ts';

const HOUR_MS = 3_600_000;
const NEXT = 'battery staple';
const INVITATION = 'a token of an invitation';

describe('POST /v1/auth/reset', () => {
  let gateway: SessionGateway;
  let token: string;
  const now = () => gateway.clock.now();

  beforeEach(async () => {
    gateway = await startSessionGateway();
    token = await make();
  });
  afterEach(async () => {
    const records = [
      await gateway.own.auditRecords.all('org_a'),
      await gateway.own.auditRecords.all('org_b'),
    ];
    const written = gateway.log.join('\n') + JSON.stringify(records);
    for (const secret of [PASSWORD, NEXT, token, INVITATION, hash('sha256', token, 'hex'), 'hash of'])
      expect(written).to.not.include(secret);
    await gateway.close();
  });

  /** A token for a member of org_a, made by another one. */
  async function make(member: Role = 'member', by: 'owner' | 'admin' = 'admin'): Promise<string> {
    const { own: documents, clock } = gateway;
    const actor = { organizationId: 'org_a', userId: `usr_${by}`, role: by };
    return (await createReset({ documents, clock, randomBytes }, actor, `mem_z${member}`)).token;
  }
  const reset = (body: object = {}, origin?: string | null): Promise<Answer> =>
    gateway.call('POST', '/v1/auth/reset', { body: { token, password: NEXT, ...body }, origin });
  const login = (password: string, email = 'member@example.com') =>
    gateway.call('POST', '/v1/auth/login', { body: { email, password } });
  const setRole = async (id: string, role: Role) => {
    const version = (await gateway.own.memberships.get('org_a', id))?.version ?? 0;
    await gateway.own.memberships.update('org_a', id, version, { role });
  };
  const join = (organizationId = 'org_b') =>
    gateway.own.memberships.insert({ id: 'mem_more', organizationId, userId: 'usr_member', role: 'viewer' });
  /** Invites the member of org_a to org_b. */
  async function invite(): Promise<void> {
    const organizationId = 'org_b';
    const inviter = { id: 'mem_inviter', organizationId, userId: 'usr_inviter', role: 'admin' } as const;
    await gateway.own.memberships.insert(inviter);
    await gateway.own.invitations.insert({
      id: 'inv_1',
      organizationId,
      email: 'member@example.com',
      role: 'member',
      tokenHash: hash('sha256', INVITATION, 'hex'),
      expiresAt: new Date(now() + HOUR_MS).toISOString(),
      acceptedAt: null,
      createdBy: 'usr_inviter',
    });
  }
  const expectRefused = async (body: object = {}) => {
    const answer = await reset(body);
    expectError(answer, 404, 'NOT_FOUND', now());
    expect(answer.body.error).to.equal('This reset link is unknown, used or expired.');
  };
  const expectOldPassword = async () => {
    expect((await login(NEXT)).status).to.equal(401);
    expect((await login(PASSWORD)).status).to.equal(200);
  };

  it('sets the password, ends every session of the user at once, and begins none', async () => {
    const [one, two] = [cookiesOf(await login(PASSWORD)), cookiesOf(await login(PASSWORD))];
    const others = await gateway.login('viewer@example.com');
    const asks = (cookies: Record<string, string>) => gateway.call('GET', '/v1/auth/session', { cookies });
    for (const cookies of [one, two, others]) expect((await asks(cookies)).status).to.equal(200);
    const answer = await reset();
    expect([answer.status, answer.body, answer.headers.getSetCookie()]).to.deep.equal([204, null, []]);
    expect(answer.headers.get('cache-control')).to.equal('private, no-store');
    for (const cookies of [one, two]) {
      expectError(await asks(cookies), 401, 'AUTH_REQUIRED', now());
      const refreshed = await gateway.call('POST', '/v1/auth/refresh', { cookies });
      expectError(refreshed, 401, 'AUTH_REQUIRED', now());
    }
    expect((await asks(others)).status).to.equal(200);
    expectError(await login(PASSWORD), 401, 'AUTH_REQUIRED', now());
    expect((await login(NEXT)).status).to.equal(200);
  });

  it('serves once: of ten at a time one succeeds, and later ones are 404', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => reset()));
    expect(answers.filter(({ status }) => status === 204)).to.have.length(1);
    for (const answer of answers.filter(({ status }) => status !== 204))
      expectError(answer, 404, 'NOT_FOUND', now());
    await expectRefused({ password: 'another one' });
    expect((await login(NEXT)).status).to.equal(200);
  });

  it('leaves one audit record: nobody was logged in, and whose password it was', async () => {
    await reset();
    await expectRefused();
    const records = (await gateway.own.auditRecords.all('org_a')).map(
      ({ actor, action, targetId, fields }) => {
        return { actor, action, targetId, fields };
      },
    );
    expect(records).to.deep.equal([
      {
        actor: { kind: 'public', id: 'public', userId: null },
        action: 'user.reset-password',
        targetId: 'usr_member',
        fields: ['password'],
      },
    ]);
  });

  it('answers an unknown, an expired and an earlier token alike, and changes nothing', async () => {
    await expectRefused({ token: 'unknown' });
    await expectRefused({ token: hash('sha256', token, 'hex') });
    const earlier = token;
    token = await make();
    await expectRefused({ token: earlier });
    gateway.clock.advance(HOUR_MS);
    await expectRefused();
    await expectOldPassword();
  });

  it('takes passwords by the rules of every password, and keeps the token while one is refused', async () => {
    for (const password of ['short', 'x'.repeat(257), 7, undefined])
      expectError(await reset({ password }), 400, 'VALIDATION_ERROR', now());
    expectError(await reset({ more: 1 }), 400, 'VALIDATION_ERROR', now());
    expect((await reset()).status).to.equal(204);
  });

  it('refuses pages of other sites, and takes no cookie for anything', async () => {
    for (const origin of ['https://evil.example.net', 'null']) {
      expectError(await reset({}, origin), 403, 'ACCESS_DENIED', now());
    }
    await expectOldPassword();
    expect((await reset({}, null)).status).to.equal(204);
  });

  it('counts in the limit of logins: the 31st of an address within a minute is 429', async () => {
    const statuses: number[] = [];
    for (let times = 0; times < 31; times++) {
      const headers = [['X-Forwarded-For', '198.51.100.7']] as const;
      const body = { token: `guess ${times}`, password: NEXT };
      statuses.push((await gateway.call('POST', '/v1/auth/reset', { body, headers })).status);
    }
    expect(statuses.slice(0, 30).every((status) => status === 404)).to.equal(true);
    expect(statuses[30]).to.equal(429);
  });

  it('stays valid when the member changes its name or moves within the roles that its maker may give', async () => {
    const cookies = cookiesOf(await login(PASSWORD));
    const renamed = { cookies, body: { name: 'Grace' } };
    expect((await gateway.call('PATCH', '/v1/auth/user', renamed)).status).to.equal(200);
    await setRole('mem_zmember', 'admin');
    expect((await reset()).status).to.equal(204);
  });

  const voiding: Readonly<Record<string, () => Promise<unknown>>> = {
    'the password was changed by its user': async () => {
      const cookies = cookiesOf(await login(PASSWORD));
      const body = { current: PASSWORD, new: 'another horse' };
      expect((await gateway.call('POST', '/v1/auth/password', { cookies, body })).status).to.equal(204);
    },
    'the password was reset on the command line': () =>
      resetPassword({ documents: gateway.own, ids: createIds(), randomBytes }, 'member@example.com'),
    'the member was removed': () => gateway.own.memberships.remove('org_a', 'mem_zmember'),
    'the member was removed and came back': async () => {
      await gateway.own.memberships.remove('org_a', 'mem_zmember');
      await join('org_a');
    },
    'the member joined a second organization': () => join(),
    'the member became an owner, which an admin does not make': () => setRole('mem_zmember', 'owner'),
    'who made it was removed': () => gateway.own.memberships.remove('org_a', 'mem_zadmin'),
    'who made it may give the role no longer': () => setRole('mem_zadmin', 'viewer'),
    'the organization was deleted': () => gateway.own.organizations.remove('org_a', 'org_a'),
    'the user was removed': () => gateway.own.users.remove('usr_member', 'usr_member'),
  };
  for (const [what, act] of Object.entries(voiding)) {
    it(`is void once ${what}`, async () => {
      await act();
      const before = await gateway.own.users.get('usr_member', 'usr_member');
      await expectRefused();
      expect(await gateway.own.users.get('usr_member', 'usr_member')).to.deep.equal(before);
    });
  }

  it('is undone when the member joins a second organization in the moment of the write', async () => {
    const cookies = cookiesOf(await login(PASSWORD));
    const { users } = gateway.own;
    const update = users.update.bind(users);
    users.update = async (...given) => {
      const written = await update(...given);
      users.update = update;
      await join();
      // Somebody who knows the new password is faster still.
      expect((await login(NEXT)).status).to.equal(200);
      return written;
    };
    await expectRefused();
    expect(await gateway.own.sessions.all('usr_member')).to.deep.equal([]);
    expectError(await gateway.call('GET', '/v1/auth/session', { cookies }), 401, 'AUTH_REQUIRED', now());
    await expectOldPassword();
    await gateway.own.memberships.remove('org_b', 'mem_more');
    await expectRefused();
  });

  it('keeps an acceptance with a session that it ends from joining a second organization', async () => {
    const cookies = cookiesOf(await login(PASSWORD));
    await invite();
    const accept = () => gateway.call('POST', '/v1/auth/accept', { cookies, body: { token: INVITATION } });
    const { memberships } = gateway.own;
    const insert = memberships.insert.bind(memberships);
    memberships.insert = async (document) => {
      memberships.insert = insert;
      expect((await reset()).status).to.equal(204);
      return insert(document);
    };
    expectError(await accept(), 401, 'AUTH_REQUIRED', now());
    expect((await gateway.own.membershipsOf('usr_member')).map(({ id }) => id)).to.deep.equal([
      'mem_zmember',
    ]);
    expect((await gateway.own.invitations.get('org_b', 'inv_1'))?.acceptedAt).to.equal(null);
    const again = { cookies: cookiesOf(await login(NEXT)), body: { token: INVITATION } };
    expect((await gateway.call('POST', '/v1/auth/accept', again)).status).to.equal(200);
  });

  it('lets no session that it ended join, on a gateway that has not heard of it', async () => {
    const cookies = cookiesOf(await login(PASSWORD));
    await invite();
    expect((await gateway.call('GET', '/v1/auth/session', { cookies })).status).to.equal(200);
    for (const { id } of await gateway.documents.sessions.all('usr_member'))
      await gateway.documents.sessions.remove('usr_member', id);
    expect((await gateway.call('GET', '/v1/query/websites', { cookies })).status, 'remembered').to.equal(200);
    const body = { token: INVITATION };
    const answer = await gateway.call('POST', '/v1/auth/accept', { cookies, body });
    expectError(answer, 401, 'AUTH_REQUIRED', now());
    expect(await gateway.own.membershipsOf('usr_member')).to.have.length(1);
  });

  it('gives the token back when the store fails in between', async () => {
    const { users } = gateway.own;
    const update = users.update.bind(users);
    users.update = () => Promise.reject(new Error('the store is down'));
    expect((await reset()).status).to.equal(500);
    users.update = update;
    expect((await reset()).status).to.equal(204);
  });

  it('leaves no session of before alive when the answer of the write is lost', async () => {
    await login(PASSWORD);
    const { users } = gateway.own;
    const update = users.update.bind(users);
    users.update = async (...change) => {
      await update(...change);
      throw new Error('the answer is lost');
    };
    expect((await reset()).status).to.equal(500);
    users.update = update;
    expect(await gateway.documents.sessions.all('usr_member')).to.deep.equal([]);
    expect((await login(NEXT)).status).to.equal(200);
    expect((await login(PASSWORD)).status).to.equal(401);
  });
});
