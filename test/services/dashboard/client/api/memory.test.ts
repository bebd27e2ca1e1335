/** What is kept between screens, and what ends it: a write, another session, time. */
import { expect } from 'chai';

// Only what the file itself does is held here; a channel would keep the process alive.
const { BroadcastChannel: channel } = globalThis;
Object.assign(globalThis, { BroadcastChannel: undefined });
const { askAndKeep, forgetAll, recall, recallAll, tellWritten } = await import(
  '../../../../../services/dashboard/client/api/memory.ts'
);
Object.assign(globalThis, { BroadcastChannel: channel });

const answered = (body: unknown) => ({ ok: true as const, status: 200, body, etag: null });
type Answered = ReturnType<typeof answered>;
const MINUTE = 60_000;

describe('what the pages keep between screens', () => {
  const realNow = Date.now;
  let now = 1_700_000_000_000;

  beforeEach(() => {
    // Past what an earlier test wrote.
    now += 60 * MINUTE;
    Date.now = () => now;
    forgetAll();
  });
  afterEach(() => {
    Date.now = realNow;
  });
  const ask = (target: string, body: unknown) => askAndKeep(target, () => Promise.resolve(answered(body)));

  it('is an answer for five minutes, and no refusal and no empty list', async () => {
    await ask('/v1/websites', { data: [1] });
    await ask('/v1/websites?search=x', { data: [] });
    await ask('/v1/query/websites', { websites: [] });
    const fault = { ok: false as const, fault: {} as never };
    await askAndKeep('/v1/websites/web_a', () => Promise.resolve(fault));
    expect(recall('/v1/websites')?.body).to.deep.equal({ data: [1] });
    for (const target of ['/v1/websites?search=x', '/v1/query/websites', '/v1/websites/web_a']) {
      expect(recall(target), target).to.equal(undefined);
    }
    now += 5 * MINUTE - 1;
    expect(recall('/v1/websites')).to.not.equal(undefined);
    now += 1;
    expect(recall('/v1/websites')).to.equal(undefined);
  });

  it('is found by path, with every query string and below it, and nothing beside it', async () => {
    const targets = ['/v1/websites', '/v1/websites?limit=1', '/v1/websites/web_a', '/v1/websites-other'];
    for (const target of targets) await ask(target, { data: target });
    expect(recallAll('/v1/websites').map(({ body }) => (body as { data: string }).data)).to.deep.equal(
      targets.slice(0, 3),
    );
  });

  it('is asked once by all who want it at the same time', async () => {
    let calls = 0;
    const sent = () => {
      calls++;
      return Promise.resolve(answered({ data: 'one' }));
    };
    const both = await Promise.all([askAndKeep('/v1/x', sent), askAndKeep('/v1/x', sent)]);
    expect(both[0]).to.equal(both[1]);
    expect(calls).to.equal(1);
    await askAndKeep('/v1/x', sent);
    expect(calls).to.equal(2);
  });

  it('ends with a write, an answer that was asked for before it too, and begins when the write has settled', async () => {
    await ask('/v1/websites', { data: 'old' });
    let answer = (_: Answered): void => {};
    const asked = askAndKeep('/v1/x', () => new Promise<Answered>((resolve) => (answer = resolve)));
    tellWritten();
    answer(answered({ data: 'old' }));
    await asked;
    expect(recall('/v1/websites')).to.equal(undefined);
    expect(recall('/v1/x')).to.equal(undefined);
    now += 9_999;
    await ask('/v1/x', { data: 'perhaps old' });
    expect(recall('/v1/x')).to.equal(undefined);
    now += 1;
    await ask('/v1/x', { data: 'new' });
    expect(recall('/v1/x')?.body).to.deep.equal({ data: 'new' });
  });

  it('ends with the session that it was told to', async () => {
    await ask('/v1/websites', { data: 'of the one' });
    let answer = (_: Answered): void => {};
    const asked = askAndKeep('/v1/x', () => new Promise<Answered>((resolve) => (answer = resolve)));
    forgetAll();
    answer(answered({ data: 'of the one' }));
    await asked;
    expect(recallAll('/v1')).to.deep.equal([]);
  });
});
