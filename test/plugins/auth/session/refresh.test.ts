/** Refresh tokens serve once: however many come at a time, and whenever a spent one comes again. */
import { expect } from 'chai';
import { expectError } from '../../../support/answers.ts';
import {
  cookiesOf,
  type SessionGateway,
  startSessionGateway,
} from '../../../support/start-session-gateway.ts';

describe('POST /v1/auth/refresh', () => {
  let gateway: SessionGateway;
  let cookies: Record<string, string>;
  const now = () => gateway.clock.now();
  const refresh = (sent: Record<string, string>, origin?: string) =>
    gateway.call('POST', '/v1/auth/refresh', { cookies: sent, origin });

  beforeEach(async () => {
    gateway = await startSessionGateway();
    cookies = await gateway.login('owner@example.com');
  });
  afterEach(() => gateway.close());

  it('sets both cookies anew, by which the session goes on past its first 30 days', async () => {
    for (let times = 0; times < 3; times++) {
      gateway.clock.advance(29 * 86_400_000);
      const answer = await refresh(cookies);
      expect(answer.status).to.equal(200);
      expect(answer.headers.getSetCookie()[1]).to.match(
        /^__Secure-tg_refresh=.+; Max-Age=2592000; Path=\/v1\/auth; /,
      );
      const next = cookiesOf(answer);
      expect(next['__Secure-tg_refresh']).to.not.equal(cookies['__Secure-tg_refresh']);
      cookies = next;
      expect((await gateway.call('GET', '/v1/auth/session', { cookies })).status).to.equal(200);
    }
    gateway.clock.advance(30 * 86_400_000);
    expectError(await refresh(cookies), 401, 'AUTH_REQUIRED', now());
  });

  it('lets exactly one of 25 at a time win, and the family lives', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => refresh(cookies)));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).to.have.length(1);
    for (const answer of answers) {
      if (answer.status === 200) continue;
      expectError(answer, 401, 'AUTH_REQUIRED', now());
      expect(answer.headers.getSetCookie(), 'the winner just set them').to.deep.equal([]);
    }
    const [winner] = winners;
    expect(winner && (await refresh(cookiesOf(winner))).status).to.equal(200);
  });

  it('admits 30 a minute of a session from wherever they come, and hurts no other session', async () => {
    let latest = cookies;
    for (let times = 0; times < 30; times++) {
      const answer = await refresh(latest);
      expect(answer.headers.get('x-ratelimit-limit')).to.equal('30');
      expect(answer.headers.get('x-ratelimit-remaining')).to.equal(`${29 - times}`);
      latest = cookiesOf(answer);
    }
    expectError(await refresh(latest), 429, 'RATE_LIMIT_EXCEEDED', now());
    const other = await gateway.login('member@example.com');
    expect((await refresh(other)).status).to.equal(200);
    gateway.clock.advance(60_000);
    expect((await refresh(latest)).status, 'the refused one was not spent').to.equal(200);
  });

  it('forgives a spent token within 10 seconds of its own rotation, however many followed', async () => {
    const second = cookiesOf(await refresh(cookies));
    gateway.clock.advance(6_000);
    const third = cookiesOf(await refresh(second));
    gateway.clock.advance(4_000);
    expectError(await refresh(cookies), 401, 'AUTH_REQUIRED', now());
    expect((await refresh(third)).status).to.equal(200);
  });

  for (const generations of [1, 3]) {
    it(`ends the session when a token comes again that was spent ${generations} rotations and over 10 seconds ago`, async () => {
      let latest = cookies;
      for (let times = 0; times < generations; times++) latest = cookiesOf(await refresh(latest));
      expect((await gateway.call('GET', '/v1/auth/session', { cookies: latest })).status).to.equal(200);
      gateway.clock.advance(10_001);
      const reused = await refresh(cookies);
      expectError(reused, 401, 'AUTH_REQUIRED', now());
      expect(cookiesOf(reused)).to.deep.equal({ '__Host-tg_access': '', '__Secure-tg_refresh': '' });
      const session = await gateway.call('GET', '/v1/auth/session', { cookies: latest });
      expectError(session, 401, 'AUTH_REQUIRED', now());
      expectError(await refresh(latest), 401, 'AUTH_REQUIRED', now());
      const line = gateway.log.find((one) => one.includes('refresh token'));
      expect(line)
        .to.include('ses_')
        .and.not.include(cookies['__Secure-tg_refresh'] ?? '');
    });
  }

  it('takes no token that it did not make, and ends no session for one', async () => {
    const { '__Secure-tg_refresh': tg_refresh = '' } = cookies;
    const [id, , chance, seal] = tg_refresh.split('.');
    gateway.clock.advance(60_000);
    for (const forged of [
      `${id}.1.${chance}.${'A'.repeat(43)}`,
      `${id}.2.${chance}.${seal}`,
      'nonsense',
      `${id}`,
    ]) {
      expectError(await refresh({ '__Secure-tg_refresh': forged }), 401, 'AUTH_REQUIRED', now());
    }
    expect((await refresh(cookies)).status).to.equal(200);
  });

  it('spends nothing for a foreign page, and says why', async () => {
    const answer = await refresh(cookies, 'https://evil.com');
    expectError(answer, 401, 'AUTH_REQUIRED', now());
    expect(answer.body.error).to.include('Origin');
    expect((await refresh(cookies)).status).to.equal(200);
  });
});
