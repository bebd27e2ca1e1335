/** A session that is switched at one gateway: another one, which nobody told, serves the next request for the new organization. */
import { hash } from 'node:crypto';
import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { createAccessTokens } from '../../../../plugins/auth/session/access-token.ts';
import {
  cookiesOf,
  type SessionGateway,
  startSessionGateway,
} from '../../../support/start-session-gateway.ts';

describe('a switch of organization, between two gateways over one store', () => {
  const ACCESS = '__Host-tg_access';
  let one: SessionGateway;
  let other: Pick<SessionGateway, 'call'>;
  let cookies: Record<string, string>;

  beforeEach(async () => {
    one = await startSessionGateway();
    other = await one.startAnother();
    cookies = await one.login('owner@example.com');
  });
  afterEach(() => one.close());

  const switchTo = (organizationId: string, sent = cookies) =>
    one.call('POST', '/v1/auth/switch', { cookies: sent, body: { organizationId } });
  /** For which organization a gateway serves the cookies. */
  const servedFor = async (gateway: Pick<SessionGateway, 'call'>, sent: Record<string, string>) => {
    const { body } = await gateway.call('GET', '/v1/query/websites', { cookies: sent });
    return body.caller.organizationId;
  };

  it('binds there with the first request, although its verdict on the session is fresh', async () => {
    expect(await servedFor(other, cookies)).to.equal('org_a');
    const switched = { ...cookies, ...cookiesOf(await switchTo('org_b')) };
    // The clock stands still: no verdict has grown old.
    expect(await servedFor(other, switched)).to.equal('org_b');
    const session = await other.call('GET', '/v1/auth/session', { cookies: switched });
    expect(session.body.data.activeOrganizationId).to.equal('org_b');
    const back = { ...cookies, ...cookiesOf(await switchTo('org_a', switched)) };
    expect(await servedFor(other, back)).to.equal('org_a');
  });

  it('binds there also when the answer was lost and the switch is sent again', async () => {
    expect(await servedFor(other, cookies)).to.equal('org_a');
    await switchTo('org_b');
    const again = { ...cookies, ...cookiesOf(await switchTo('org_b')) };
    expect(await servedFor(other, again)).to.equal('org_b');
  });

  it('prolongs no access: the new cookie ends when the one before does', async () => {
    one.clock.advance(10 * 60_000);
    const answer = await switchTo('org_b');
    const [line = ''] = answer.headers.getSetCookie();
    expect(answer.headers.getSetCookie()).to.have.length(1);
    expect(line)
      .to.match(/^__Host-tg_access=[^;]+; /)
      .and.to.include('; Max-Age=300; Path=/; HttpOnly; ');
    const expiryOf = (text = '') => decodeJwt(text).exp;
    expect(expiryOf(cookiesOf(answer)[ACCESS])).to.equal(expiryOf(cookies[ACCESS]));
  });

  it('sets no cookie beside those of an earlier version, whose refresh it would hide', async () => {
    const { sid: id, sub: userId } = decodeJwt(cookies[ACCESS] ?? '') as { sid: string; sub: string };
    const earlier = createAccessTokens(one.cookieKey, one.clock, false);
    const { text } = await earlier.issue({ id, userId, version: 1 });
    const answer = await switchTo('org_b', { tg_access: text });
    expect(answer.status).to.equal(200);
    expect(answer.headers.getSetCookie()).to.deep.equal([]);
  });

  it('binds there after an accepted invitation too', async () => {
    // Without org_b, which the invitation leads to.
    await one.documents.memberships.remove('org_b', 'mem_a');
    one.clock.advance(5_000);
    expect(await servedFor(other, cookies)).to.equal('org_a');
    await one.documents.memberships.insert({
      id: 'mem_inviter',
      organizationId: 'org_b',
      userId: 'usr_inviter',
      role: 'owner',
    });
    const token = 'the token of the invitation';
    await one.documents.invitations.insert({
      id: 'inv_1',
      organizationId: 'org_b',
      email: 'owner@example.com',
      role: 'member',
      tokenHash: hash('sha256', token, 'hex'),
      expiresAt: new Date(one.clock.now() + 86_400_000).toISOString(),
      acceptedAt: null,
      createdBy: 'usr_inviter',
    });
    const answer = await one.call('POST', '/v1/auth/accept', { cookies, body: { token } });
    expect(answer.status).to.equal(200);
    expect(await servedFor(other, { ...cookies, ...cookiesOf(answer) })).to.equal('org_b');
  });
});
