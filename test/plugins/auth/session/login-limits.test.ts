/** What logins cost whom: pages of other sites take nothing of a visitor's logins, and an account is guessed from many addresses no faster than its budget. */
import { hash } from 'node:crypto';
import { expect } from 'chai';
import { createPasswordHasher } from '../../../../services/shared/credentials/password-hasher.ts';
import { expectErrorBody, expectSuccess } from '../../../support/answers.ts';
import {
  PASSWORD,
  type SessionGateway,
  startSessionGateway,
} from '../../../support/start-session-gateway.ts';
import type { Answer } from '../../../support/start-tidegate.ts';

const HOME = '192.0.2.7';
const EMAIL = 'owner@example.com';
/** As config/plans.yml says. */
const LOGINS = 30;
const PUBLIC = 100;
const ACCOUNT = 1_000;
/** What of it one address may take. */
const PART = ACCOUNT / 10;

describe('the limits of logins', () => {
  let gateway: SessionGateway;
  beforeEach(async () => {
    gateway = await startSessionGateway();
  });
  afterEach(() => gateway.close());

  interface Attempt {
    readonly path?: string;
    readonly body?: unknown;
    readonly origin?: string | null;
    readonly type?: string;
  }
  const from = (address: string, { path = '/v1/auth/login', body, origin, type }: Attempt = {}) =>
    gateway.call('POST', path, {
      body: body ?? { email: EMAIL, password: PASSWORD },
      origin,
      type,
      headers: [['X-Forwarded-For', address]],
    });
  const wrong = (address: string, email = EMAIL) =>
    from(address, { body: { email, password: 'wrong horse' } });
  const codes = (answers: readonly Answer[]) => [...new Set(answers.map(({ body }) => body?.code ?? 'OK'))];
  async function many(count: number, attempt: (index: number) => Promise<Answer>): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (let index = 0; index < count; index++) answers.push(await attempt(index));
    return answers;
  }

  it('are not touched by a page of another site, whose visitor logs in after it tried two hundred times', async () => {
    for (const path of ['/v1/auth/login', '/v1/auth/accept']) {
      const origin = 'https://evil.net';
      const answers = await many(PUBLIC, (index) =>
        from(HOME, { path, origin, body: index % 2 === 0 ? '{' : { email: EMAIL, password: 'x' } }),
      );
      expect(codes(answers)).to.deep.equal(
        path.endsWith('login') ? ['ACCESS_DENIED'] : ['RATE_LIMIT_EXCEEDED'],
      );
    }
    const login = await from(HOME);
    expectSuccess(login, 200, gateway.clock.now());
    expect(login.headers.get('x-ratelimit-limit')).to.equal(`${LOGINS}`);
    expect(login.headers.get('x-ratelimit-remaining')).to.equal(`${LOGINS - 1}`);
  });

  it('show a page of another site the public limit, which alone it uses', async () => {
    const answer = await from(HOME, { origin: 'https://evil.net' });
    expectErrorBody(answer, 403, 'ACCESS_DENIED');
    expect(answer.headers.get('x-ratelimit-limit')).to.equal(`${PUBLIC}`);
    expect(answer.headers.get('x-ratelimit-remaining')).to.equal(`${PUBLIC - 1}`);
  });

  it('are not touched by bodies of another type, which count in public', async () => {
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'];
    const answers = await many(2 * LOGINS, (index) => from(HOME, { type: types[index % 3], origin: null }));
    expect(codes(answers)).to.deep.equal(['UNSUPPORTED_MEDIA_TYPE']);
    for (const { headers } of answers) expect(headers.get('x-ratelimit-limit')).to.equal(`${PUBLIC}`);
    expect((await from(HOME)).status).to.equal(200);
  });

  it('are one for logins, acceptances and readings of invitations of an address', async () => {
    const token = hash('sha256', 'none', 'hex');
    const body = { token, name: 'Eve', password: 'battery staple' };
    const read = () => from(HOME, { path: '/v1/auth/invitation', body: { token } });
    const answers = await many(LOGINS, (index) =>
      index % 2 === 0 ? read() : from(HOME, { path: '/v1/auth/accept', body }),
    );
    expect(codes(answers)).to.deep.equal(['NOT_FOUND']);
    const accepted = await from(HOME, { path: '/v1/auth/accept', body });
    for (const attempt of [await from(HOME), accepted, await read()]) {
      expectErrorBody(attempt, 429, 'RATE_LIMIT_EXCEEDED');
      expect(attempt.headers.get('x-ratelimit-limit')).to.equal(`${LOGINS}`);
    }
  });

  describe('of one account', () => {
    const strangers = (email = EMAIL) =>
      many(ACCOUNT - 1, (index) => wrong(`198.18.${index >> 8}.${index & 255}`, email));

    it('are bounded over all addresses, and let in those that logged in before', async () => {
      expect((await from(HOME)).status).to.equal(200);
      expect(codes(await strangers())).to.deep.equal(['AUTH_REQUIRED']);
      const verified = gateway.verified();
      // The right password too: what is refused tells nothing of it, and costs nothing.
      for (const attempt of [await from('198.51.100.1'), await wrong('198.51.100.2')]) {
        expectErrorBody(attempt, 429, 'RATE_LIMIT_EXCEEDED');
        expect([attempt.body.limit, attempt.body.remaining]).to.deep.equal([ACCOUNT, 0]);
        expect(attempt.headers.get('x-ratelimit-limit')).to.equal(`${ACCOUNT}`);
        expect(attempt.headers.get('x-ratelimit-remaining')).to.equal('0');
        expect(attempt.headers.get('retry-after')).to.equal(`${attempt.body.retryAfter}`);
        expect(attempt.body.retryAfter).to.be.within(1, 900);
      }
      expect(gateway.verified()).to.equal(verified);

      expect((await from(HOME)).status).to.equal(200);
      expectErrorBody(await wrong(HOME), 401, 'AUTH_REQUIRED');
      const other = await from('198.51.100.1', { body: { email: 'admin@example.com', password: PASSWORD } });
      expect(other.status).to.equal(200);
      gateway.clock.advance(900_000);
      expect((await from('198.51.100.1')).status).to.equal(200);
    });

    it('are used up by no single address, which is stopped at its part and shuts out nobody else', async () => {
      for (let minute = 0; minute < 4; minute++) {
        const quarter = await many(PART / 4, () => wrong('198.51.100.1'));
        expect(codes(quarter)).to.deep.equal(['AUTH_REQUIRED']);
        gateway.clock.advance(60_000);
      }
      for (const attempt of [await wrong('198.51.100.1'), await from('198.51.100.1')]) {
        expectErrorBody(attempt, 429, 'RATE_LIMIT_EXCEEDED');
        expect([attempt.body.limit, attempt.body.remaining]).to.deep.equal([PART, 0]);
        expect(attempt.body.error).to.match(/^This account was tried too often from an address /);
      }
      expect((await from('198.51.100.2')).status).to.equal(200);
      const elsewhere = { email: 'admin@example.com', password: PASSWORD };
      expect((await from('198.51.100.1', { body: elsewhere })).status).to.equal(200);
    });

    it('let an address in at the accounts alone that it logged in to, at no other of the email', async () => {
      const { users, memberships } = gateway.documents;
      const fields = { email: EMAIL, home: 'org_b', name: 'Eve', passwordHash: 'hash of eve horse' };
      await users.insert({ id: 'usr_eve', organizationId: 'usr_eve', ...fields });
      const member = { organizationId: 'org_b', userId: 'usr_eve', role: 'member' } as const;
      await memberships.insert({ id: 'mem_eve', ...member });
      const asEve = () => from('198.51.100.9', { body: { email: EMAIL, password: 'eve horse' } });
      expect((await from(HOME)).status).to.equal(200);
      expect((await asEve()).body.data.user.id).to.equal('usr_eve');
      await strangers();

      expectErrorBody(await from('198.51.100.9'), 401, 'AUTH_REQUIRED');
      expect((await asEve()).body.data.user.id).to.equal('usr_eve');
      expect((await from(HOME)).body.data.user.id).to.not.equal('usr_eve');
    });

    it('are the same for an email that has none', async () => {
      const nobody = 'nobody@example.com';
      expect(codes([...(await strangers(nobody)), await wrong('198.51.100.3', nobody)])).to.deep.equal([
        'AUTH_REQUIRED',
      ]);
      expectErrorBody(await wrong('198.51.100.1', 'NoBody@example.com'), 429, 'RATE_LIMIT_EXCEEDED');
    });

    it('pass exactly as many of the attempts of many addresses at once', async () => {
      const answers = await Promise.all(
        Array.from({ length: ACCOUNT + 50 }, (_, index) => wrong(`198.18.${index >> 8}.${index & 255}`)),
      );
      expect(answers.filter(({ status }) => status === 401)).to.have.length(ACCOUNT);
      expect(answers.filter(({ status }) => status === 429)).to.have.length(50);
    });
  });

  describe('while too many passwords are being checked', () => {
    /** What one address may have at once, and all together. */
    const AT_ONCE = 7;
    const IN_ALL = 102;
    let held: Promise<void>;
    let end: () => void;
    beforeEach(async () => {
      await gateway.close();
      held = Promise.resolve();
      end = () => {};
      const hasher = createPasswordHasher({
        hash: (password) => held.then(() => `hash of ${password}`),
        verify: (passwordHash, password) => held.then(() => passwordHash === `hash of ${password}`),
      });
      gateway = await startSessionGateway(undefined, hasher);
    });
    afterEach(() => end());

    /** Attempts at once while every check is held: those that were shed, and a way to end the checks and have all answers. */
    async function hold(count: number, attempt: (index: number) => Promise<Answer>, waiting: number) {
      held = new Promise((resolve) => {
        end = resolve;
      });
      const shed: Answer[] = [];
      let isEnded = false;
      const all = Array.from({ length: count }, async (_, index) => {
        const answer = await attempt(index);
        if (!isEnded) shed.push(answer);
        return answer;
      });
      while (shed.length < count - waiting) await new Promise((resolve) => setTimeout(resolve, 5));
      isEnded = true;
      expectShed(shed);
      return () => {
        end();
        return Promise.all(all);
      };
    }
    function expectShed(answers: readonly Answer[]): void {
      for (const answer of answers) {
        expectErrorBody(answer, 503, 'UPSTREAM_UNAVAILABLE');
        expect(answer.headers.get('retry-after')).to.equal('1');
      }
    }
    const remaining = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'));
    const invitation = { token: hash('sha256', 'none', 'hex'), name: 'Eve', password: 'battery staple' };
    const accept = () => from(HOME, { path: '/v1/auth/accept', body: invitation });

    it('count those that were checked and none that was shed, for the address and for the account', async () => {
      const answers = await (await hold(5 * LOGINS, () => wrong(HOME), AT_ONCE))();
      expect(answers.filter(({ status }) => status === 401)).to.have.length(AT_ONCE);
      const shed = answers.find(({ status }) => status === 503) as Answer;
      expect(remaining(shed)).to.equal(PUBLIC);
      const left = await many(LOGINS - AT_ONCE - 1, () => wrong(HOME));
      expect(codes(left)).to.deep.equal(['AUTH_REQUIRED']);
      expect(remaining(await from(HOME))).to.equal(0);
      expectErrorBody(await from(HOME), 429, 'RATE_LIMIT_EXCEEDED');
    });

    it('count nothing that was shed because of other addresses', async () => {
      const answers = await (await hold(IN_ALL + 20, (index) => wrong(`198.18.${index}.1`), IN_ALL))();
      const shed = [...answers.keys()].filter((index) => answers[index]?.status === 503);
      expect(shed).to.have.length(20);
      for (const index of shed) expect(remaining(await wrong(`198.18.${index}.1`))).to.equal(LOGINS - 1);
      // Nor of the account.
      const rest = await many(ACCOUNT - IN_ALL - 20, (index) => wrong(`198.19.${index >> 8}.${index & 255}`));
      expect(codes(rest)).to.deep.equal(['AUTH_REQUIRED']);
      expectErrorBody(await wrong('198.51.100.1'), 429, 'RATE_LIMIT_EXCEEDED');
    });

    it('count no acceptance that was shed', async () => {
      const answer = await hold(AT_ONCE + 1, () => wrong(HOME), AT_ONCE);
      expectShed(await many(LOGINS, accept));
      await answer();
      const accepted = await accept();
      expectErrorBody(accepted, 404, 'NOT_FOUND');
      expect(remaining(accepted)).to.equal(LOGINS - AT_ONCE - 1);
    });

    it('have a change of password that was shed counted nowhere, and let its session do all else', async () => {
      const cookies = await gateway.login('member@example.com');
      const ask = (method: string, path: string, body?: unknown) =>
        gateway.call(method, path, { cookies, body, headers: [['X-Forwarded-For', HOME]] });
      const change = () => ask('POST', '/v1/auth/password', { current: PASSWORD, new: 'battery staple' });
      const before = remaining(await ask('GET', '/v1/auth/session'));
      const answer = await hold(AT_ONCE + 1, () => wrong(HOME), AT_ONCE);
      expectShed(await many(10, change));
      expect(remaining(await ask('GET', '/v1/auth/session'))).to.equal(before - 1);
      await answer();
      const changed = await change();
      expect([changed.status, remaining(changed)]).to.deep.equal([204, before - 2]);
    });

    it('tell an address that has none left so, with 429', async () => {
      await many(LOGINS - AT_ONCE, accept);
      const answer = await hold(AT_ONCE, () => wrong(HOME), AT_ONCE);
      let attempt = await accept();
      while (attempt.status === 404) attempt = await accept();
      expectErrorBody(attempt, 429, 'RATE_LIMIT_EXCEEDED');
      await answer();
    });

    it('give a place back that was refused, or whose body was no good', async () => {
      for (let round = 0; round < 3; round++) {
        const bad = await Promise.all(Array.from({ length: AT_ONCE }, () => from(HOME, { body: '{' })));
        expect(codes(bad)).to.deep.equal(['VALIDATION_ERROR']);
      }
      expect(codes(await many(LOGINS - 3 * AT_ONCE, () => from(HOME)))).to.deep.equal(['OK']);
      const refused = await many(2 * AT_ONCE, () => from(HOME));
      expect(codes(refused)).to.deep.equal(['RATE_LIMIT_EXCEEDED']);
      gateway.clock.advance(60_000);
      const answers = await (await hold(AT_ONCE, () => wrong(HOME), AT_ONCE))();
      expect(codes(answers)).to.deep.equal(['AUTH_REQUIRED']);
    });
  });
});
