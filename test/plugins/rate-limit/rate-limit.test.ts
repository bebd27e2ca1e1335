/** The rate limits through the whole server: exact under concurrency, honest about when they end. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../../support/answers.ts';
import { type Answer, startTidegate, type TestServer } from '../../support/start-tidegate.ts';
import { createTestClock, type TestClock } from '../../support/test-clock.ts';

const PATH = '/v1/query/websites';

describe('rate limits', () => {
  let server: TestServer;
  let clock: TestClock;

  beforeEach(async () => {
    clock = createTestClock(Date.now());
    server = await startTidegate({ clock });
  });
  afterEach(() => server.close());

  const call = (key = server.keys.free) => server.call('GET', PATH, { key });
  const statuses = (answers: Answer[], status: number) =>
    answers.filter((answer) => answer.status === status);

  it('passes exactly 50 of 1,000 parallel requests of a Free key, and passes again at the second that the reset names', async () => {
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => call()));
    expect(statuses(answers, 200)).to.have.length(50);
    expect(statuses(answers, 429)).to.have.length(950);
    const remaining = statuses(answers, 200).map((answer) =>
      Number(answer.headers.get('x-ratelimit-remaining')),
    );
    expect(remaining.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 50 }, (_, index) => index));

    const refused = statuses(answers, 429)[0] as Answer;
    expectErrorAt(refused, clock);
    const resetSeconds = Number(refused.headers.get('x-ratelimit-reset'));
    expect(resetSeconds).to.equal(Math.ceil((clock.now() + 10_000) / 1000));

    clock.advance(resetSeconds * 1000 - 1_000 - clock.now());
    expect((await call()).status).to.equal(429);
    clock.advance(1_000);
    expect((await call()).status).to.equal(200);
  });

  it('does not count a refused request', async () => {
    await Promise.all(Array.from({ length: 80 }, () => call()));
    clock.advance(10_000);
    const answer = await call();
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('x-ratelimit-limit')).to.equal('50');
    expect(answer.headers.get('x-ratelimit-remaining')).to.equal('49');
  });

  it('counts 404, 405, 413, 415, 403 and malformed JSON of a valid key in its plan windows, and answers 429 in their place when full', async () => {
    const key = server.keys.free;
    const text = { key, body: 'x', headers: { 'content-type': 'application/xml' } };
    const lacking = { key: server.keys.freeReadOnly, body: { name: 'sign_up' } };
    const kinds: [status: number, code: string, ask: () => Promise<Answer>][] = [
      [404, 'NOT_FOUND', () => server.call('GET', '/nothing/here', { key })],
      [405, 'METHOD_NOT_ALLOWED', () => server.call('DELETE', PATH, { key })],
      [415, 'UNSUPPORTED_MEDIA_TYPE', () => server.call('POST', '/track', text)],
      [
        413,
        'PAYLOAD_TOO_LARGE',
        () => server.call('POST', '/v1/query', { key, body: 'x'.repeat(2_097_153) }),
      ],
      [403, 'INSUFFICIENT_SCOPE', () => server.call('POST', '/track', lacking)],
      [400, 'VALIDATION_ERROR', () => server.call('POST', '/v1/query', { key, body: '{"parameters":' })],
      [400, 'VALIDATION_ERROR', () => server.call('POST', '/track', { key, body: '[{]' })],
    ];
    for (const [index, [status, code, ask]] of kinds.entries()) {
      const answer = await ask();
      expectError(answer, status, code, clock.now());
      expect(answer.headers.get('x-ratelimit-limit'), code).to.equal('50');
      expect(answer.headers.get('x-ratelimit-remaining'), code).to.equal(String(49 - index));
    }
    await Promise.all(Array.from({ length: 50 }, () => call()));
    for (const [, , ask] of kinds) expectErrorAt(await ask(), clock);
  });

  it('counts all keys of an organization together', async () => {
    await Promise.all(Array.from({ length: 20 }, () => call()));
    const answer = await call();
    expect(answer.headers.get('x-ratelimit-remaining')).to.equal('29');
  });

  it('gives each address 100 anonymous requests a minute, missing and wrong keys apart, an IPv6 /64 as one', async () => {
    const get = (address: string, key?: string) =>
      server.call('GET', PATH, { address, ...(key ? { key } : {}) });
    for (let count = 0; count < 100; count++) {
      expect((await get(`2001:db8:1:1::${count.toString(16)}`)).status).to.equal(401);
    }
    expectErrorAt(await get('2001:db8:1:1:ffff::1'), clock);
    expectError(await get('2001:db8:1:1::1', server.keys.unknown), 401, 'INVALID_API_KEY', clock.now());
    expectError(await get('2001:db8:1:2::1'), 401, 'AUTH_REQUIRED', clock.now());
    clock.advance(60_000);
    expectError(await get('2001:db8:1:1::1'), 401, 'AUTH_REQUIRED', clock.now());
  });

  it('never hurts a live key by the failures of its address', async () => {
    const address = '192.0.2.8';
    for (let count = 0; count < 101; count++)
      await server.call('GET', PATH, { address, key: server.keys.unknown });
    expectSuccess(await server.call('GET', PATH, { address, key: server.keys.free }), 200, clock.now());
  });

  it('answers a wrong key 429 when the failures of its address are used up', async () => {
    const address = '192.0.2.9';
    const failures = Array.from({ length: 101 }, () =>
      server.call('GET', PATH, { address, key: server.keys.unknown }),
    );
    const answers = await Promise.all(failures);
    expect(statuses(answers, 401)).to.have.length(100);
    expect(statuses(answers, 429)).to.have.length(1);
  });
});

function expectErrorAt(answer: Answer, clock: TestClock): void {
  expect(answer.status).to.equal(429);
  expect(answer.body.code).to.equal('RATE_LIMIT_EXCEEDED');
  const resetSeconds = Number(answer.headers.get('x-ratelimit-reset'));
  expect(answer.headers.get('x-ratelimit-remaining')).to.equal('0');
  expect(Date.parse(answer.body.reset)).to.equal(resetSeconds * 1000);
  expect(answer.body.retryAfter).to.equal(Number(answer.headers.get('retry-after')));
  expect(clock.now() + answer.body.retryAfter * 1000).to.be.within(
    resetSeconds * 1000 - 1000,
    resetSeconds * 1000 + 1000,
  );
}
