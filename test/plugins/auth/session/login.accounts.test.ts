/** Several accounts of one email: an invitation takes none over and shuts none out, and a login chooses by rules that stand written. */
import { hash } from 'node:crypto';
import { expect } from 'chai';
import type { User } from '../../../../services/shared/model/user.ts';
import { expectError, expectSuccess } from '../../../support/answers.ts';
import {
  cookiesOf,
  PASSWORD,
  type SessionCall,
  type SessionGateway,
  startSessionGateway,
  TOKEN_START,
} from '../../../support/start-session-gateway.ts';
import type { Answer } from '../../../support/start-tidegate.ts';

const DAY_MS = 86_400_000;
/** Of usr_admin, a member of org_a, whose account counts everywhere. */
const VICTIM = 'admin@example.com';

describe('the accounts of an email', () => {
  let gateway: SessionGateway;
  const now = () => gateway.clock.now();

  beforeEach(async () => {
    gateway = await startSessionGateway();
    for (const organizationId of ['org_b', 'org_c', 'org_d', 'org_e', 'org_f', 'org_g']) {
      const { organizations, memberships } = gateway.documents;
      if (organizationId !== 'org_b') {
        const fields = { name: organizationId, plan: 'free', limits: {} };
        await organizations.insert({ id: organizationId, organizationId, ...fields });
      }
      const member = { organizationId, userId: 'usr_inviter', role: 'owner' } as const;
      await memberships.insert({ id: `mem_${organizationId}`, ...member });
    }
  });
  afterEach(async () => {
    for (const secret of [PASSWORD, 'battery staple', 'hash of', TOKEN_START])
      expect(gateway.log.join('\n')).to.not.include(secret);
    await gateway.close();
  });

  let invitations = 0;
  /** The token of a new invitation. */
  async function invite(email: string, organizationId = 'org_b'): Promise<string> {
    invitations++;
    const token = `token ${invitations} of ${organizationId}`;
    await gateway.documents.invitations.insert({
      id: `inv_${invitations}`,
      organizationId,
      email,
      role: 'member',
      tokenHash: hash('sha256', token, 'hex'),
      expiresAt: new Date(now() + 7 * DAY_MS).toISOString(),
      acceptedAt: null,
      createdBy: 'usr_inviter',
    });
    gateway.clock.advance(1_000);
    return token;
  }
  const accept = (token: string, body: object = {}, call: SessionCall = {}) =>
    gateway.call('POST', '/v1/auth/accept', { ...call, body: { token, ...body } });
  const NEW = { name: 'Mallory', password: 'battery staple' };
  const register = async (email: string, organizationId = 'org_b', password = NEW.password) =>
    accept(await invite(email, organizationId), { ...NEW, password });
  const login = (email: string, password: string, more: object = {}) =>
    gateway.call('POST', '/v1/auth/login', { body: { email, password, ...more } });
  const userOf = async (cookies: Record<string, string>): Promise<string> =>
    (await gateway.call('GET', '/v1/auth/session', { cookies })).body.data.user.id;
  const organizationsOf = ({ body }: Answer): string[] =>
    body.data.organizations.map(({ id }: { id: string }) => id);
  const accounts = (email: string): Promise<User[]> => gateway.documents.usersOf(email);

  describe('under an organization that invites an address of others and keeps the token', () => {
    it('stay as they were: neither taken nor changed nor let in, and their owner logs in as before', async () => {
      const before = await accounts(VICTIM);
      const taken = await register(VICTIM);
      expectSuccess(taken, 200, now());
      expect(organizationsOf(taken)).to.deep.equal(['org_b']);
      expect(taken.body.data.user.id).to.not.equal('usr_admin');
      expect((await accounts(VICTIM)).filter(({ id }) => id === 'usr_admin')).to.deep.equal(before);
      expect((await gateway.documents.membershipsOf('usr_admin')).map(({ id }) => id)).to.deep.equal([
        'mem_zadmin',
      ]);

      const own = await login(VICTIM, PASSWORD);
      expect(own.body.data.user.id).to.equal('usr_admin');
      expect(organizationsOf(own)).to.deep.equal(['org_a']);
      const theirs = await login(VICTIM, NEW.password);
      expect(organizationsOf(theirs)).to.deep.equal(['org_b']);
      const inside = { cookies: cookiesOf(theirs), body: { organizationId: 'org_a' } };
      expectError(await gateway.call('POST', '/v1/auth/switch', inside), 403, 'ACCESS_DENIED', now());
    });

    it('cannot be told of: the answer is the same for an address with accounts and for one without', async () => {
      const known = await register(VICTIM);
      const unknown = await register('nobody@example.com', 'org_c');
      const shown = ({ status, body, headers }: Answer) => ({
        status,
        data: { ...body.data, user: Object.keys(body.data.user) },
        headers: [...headers.keys()],
      });
      const [first, second] = [shown(known), shown(unknown)];
      for (const { data } of [first, second]) {
        data.organizations = data.organizations.length;
        data.activeOrganizationId = '';
        // What tells of the organization that invites and of the session that began.
        data.active = Object.keys(data.active);
        for (const own of ['sessionId', 'accessExpiresAt']) data[own] = typeof data[own];
      }
      expect(first).to.deep.equal(second);
      const wrong = await login(VICTIM, 'neither of them');
      const nobody = await login('no-account@example.com', 'neither of them');
      expect({ ...wrong.body, requestId: '' }).to.deep.equal({ ...nobody.body, requestId: '' });
    });

    it('cost a login the same however many they are: five passwords', async () => {
      const costs: number[] = [];
      for (const organizationId of ['', 'org_b', 'org_c', 'org_d', 'org_e', 'org_f', 'org_g']) {
        if (organizationId !== '') await register(VICTIM, organizationId);
        const before = gateway.verified();
        expectError(await login(VICTIM, 'wrong horse'), 401, 'AUTH_REQUIRED', now());
        costs.push(gateway.verified() - before);
      }
      expect(costs).to.deep.equal([5, 5, 5, 5, 5, 5, 5]);
    });

    it('are not crowded out by later ones, and a later one is reached by its organization', async () => {
      const theirs = await register('late@example.com', 'org_b', 'password of org_b');
      for (const organizationId of ['org_c', 'org_d', 'org_e', 'org_f', 'org_g'])
        await register('late@example.com', organizationId, `password of ${organizationId}`);
      const oldest = await login('late@example.com', 'password of org_b');
      expect(oldest.body.data.user.id).to.equal(theirs.body.data.user.id);
      expectError(await login('late@example.com', 'password of org_g'), 401, 'AUTH_REQUIRED', now());
      const named = await login('late@example.com', 'password of org_g', { organizationId: 'org_g' });
      expect(organizationsOf(named)).to.deep.equal(['org_g']);
    });
  });

  it('with one password: the proven one is chosen, by its organization another', async () => {
    await register(VICTIM, 'org_b', PASSWORD);
    const chosen = await login(VICTIM, PASSWORD);
    expect(chosen.body.data.user.id).to.equal('usr_admin');
    const meant = await login(VICTIM, PASSWORD, { organizationId: 'org_b' });
    expect(organizationsOf(meant)).to.deep.equal(['org_b']);
    expect(meant.body.data.activeOrganizationId).to.equal('org_b');
  });

  it('with one password and none proven: the oldest that belongs to an organization', async () => {
    const first = await register('eve@example.com', 'org_c');
    await register('eve@example.com', 'org_b');
    const { id } = first.body.data.user;
    expect((await login('eve@example.com', NEW.password)).body.data.user.id).to.equal(id);
    const [membership] = await gateway.documents.membershipsOf(id);
    await gateway.documents.memberships.remove('org_c', membership?.id ?? '');
    expect(organizationsOf(await login('eve@example.com', NEW.password))).to.deep.equal(['org_b']);
  });

  describe('with a live session of the invited email', () => {
    it('joins without a password, keeps its refresh cookie, and acts for the organization that invited', async () => {
      const cookies = await gateway.login(VICTIM);
      const before = await accounts(VICTIM);
      const verified = gateway.verified();
      const answer = await accept(await invite(VICTIM), NEW, { cookies });
      expectSuccess(answer, 200, now());
      expect(answer.body.data.user).to.deep.equal({ id: 'usr_admin', email: VICTIM, name: null });
      expect(organizationsOf(answer)).to.deep.equal(['org_a', 'org_b']);
      expect(answer.body.data.activeOrganizationId).to.equal('org_b');
      expect(cookiesOf(answer)).to.have.all.keys('__Host-tg_access');
      expect(gateway.verified()).to.equal(verified);
      expect(await accounts(VICTIM)).to.deep.equal(before);
      const session = await gateway.call('GET', '/v1/auth/session', { cookies });
      expect(session.body).to.deep.equal(answer.body);
    });

    it('serves once, and is 409 CONFLICT for a member, whose invitation stays', async () => {
      const cookies = await gateway.login(VICTIM);
      const token = await invite(VICTIM);
      expect((await accept(token, {}, { cookies })).status).to.equal(200);
      expectError(await accept(token, {}, { cookies }), 404, 'NOT_FOUND', now());
      const again = await invite(VICTIM);
      expectError(await accept(again, {}, { cookies }), 409, 'CONFLICT', now());
      expectError(await accept(again, NEW), 409, 'CONFLICT', now());
    });

    it('makes an account of an invitation count everywhere, unless another does', async () => {
      const first = await register('eve@example.com', 'org_b');
      const cookies = cookiesOf(first);
      expect((await accept(await invite('eve@example.com', 'org_c'), {}, { cookies })).status).to.equal(200);
      expect((await accounts('eve@example.com')).map(({ home }) => home)).to.deep.equal(['*']);

      const second = await register('eve@example.com', 'org_d', 'another password');
      const { id } = second.body.data.user;
      const others = { cookies: cookiesOf(second) };
      expect((await accept(await invite('eve@example.com', 'org_e'), {}, others)).status).to.equal(200);
      expect((await accounts('eve@example.com')).map(({ home }) => home)).to.deep.equal(['*', id]);
      // What it came from may invite the address again, which makes another account.
      expect((await register('eve@example.com', 'org_f', 'a third one')).status).to.equal(200);
      expect(organizationsOf(await login('eve@example.com', 'another password'))).to.deep.equal([
        'org_d',
        'org_e',
      ]);
    });

    it('of another email makes a new account, which is logged in', async () => {
      const cookies = await gateway.login('owner@example.com');
      const token = await invite('eve@example.com');
      expectError(await accept(token, {}, { cookies }), 400, 'VALIDATION_ERROR', now());
      const answer = await accept(token, NEW, { cookies });
      expect(answer.body.data.user.email).to.equal('eve@example.com');
      expect(await userOf(cookiesOf(answer))).to.equal(answer.body.data.user.id);
      expect(await userOf(cookies)).to.equal('usr_owner');
    });

    it('counts for own pages alone', async () => {
      const cookies = await gateway.login(VICTIM);
      const token = await invite(VICTIM);
      for (const origin of ['https://evil.net', 'null'])
        expectError(await accept(token, {}, { cookies, origin }), 403, 'ACCESS_DENIED', now());
      expectError(await accept(token, {}, { cookies, origin: null }), 400, 'VALIDATION_ERROR', now());
      expect(await gateway.documents.membershipsOf('usr_admin')).to.have.length(1);
    });

    it('that has ended is 401 to who brings no password, and nobody to who brings one', async () => {
      const cookies = await gateway.login(VICTIM);
      await gateway.call('POST', '/v1/auth/logout', { cookies });
      const token = await invite(VICTIM);
      expectError(await accept(token, {}, { cookies }), 401, 'AUTH_REQUIRED', now());
      const answer = await accept(token, NEW, { cookies });
      expect(answer.body.data.user.id).to.not.equal('usr_admin');
    });
  });

  it('that an interrupted acceptance or removal left behind gives way to a new one', async () => {
    const account = { id: 'usr_left', organizationId: 'usr_left', home: 'org_b', passwordHash: 'hash of x' };
    await gateway.documents.users.insert({ ...account, email: 'eve@example.com' });
    expect((await register('eve@example.com')).status).to.equal(200);
    const [only, ...others] = await accounts('eve@example.com');
    expect([only?.home, only?.id === 'usr_left', others]).to.deep.equal(['org_b', false, []]);
  });
});
