/** How long a verdict on a key lives, what ends it early, and what strangers' keys cost. */
import { expect } from 'chai';
import { hashApiKey } from '../../../services/shared/credentials/api-key-text.ts';
import { rejection } from '../../support/rejection.ts';
import { createWatchedVerdicts, newKey, type WatchedVerdicts } from '../../support/watched-keys.ts';

describe('the verdict on a key', () => {
  let fixture: WatchedVerdicts;
  let key: string;

  beforeEach(async () => {
    fixture = await createWatchedVerdicts();
    key = await fixture.addKey();
  });

  it('is looked up once and then given at once, without the store', async () => {
    expect(await fixture.isGood(key)).to.equal(true);
    const again = fixture.verdicts.judge(key, () => false);
    expect(again).to.not.be.instanceOf(Promise);
    expect(again).to.include({ caller: (await fixture.verdicts.judge(key, () => false))?.caller });
    expect(fixture.lookUps()).to.equal(1);
  });

  it('is one look-up for many requests at once, good key or unknown', async () => {
    const release = fixture.hold();
    const unknown = newKey();
    const calls = Array.from({ length: 100 }, () => [fixture.isGood(key), fixture.isGood(unknown)]);
    release();
    const answers = await Promise.all(calls.flat());
    expect(answers.filter((good) => good)).to.have.length(100);
    expect(fixture.lookUps()).to.equal(2);
  });

  const ends: Record<string, (f: WatchedVerdicts) => Promise<unknown>> = {
    revoked: (f) => f.change(key, { revokedAt: '2026-07-15T12:00:00.000Z' }),
    disabled: (f) => f.change(key, { enabled: false }),
    deleted: async (f) => {
      const stored = await f.told.apiKeys.findUnique('keyHash', [hashApiKey(key)]);
      await f.told.apiKeys.remove('org_a', stored?.id ?? '');
    },
    'given another secret': (f) => f.change(key, { keyHash: 'ffff' }),
    'of an organization that is gone': (f) => f.told.organizations.remove('org_a', 'org_a'),
  };
  for (const [how, end] of Object.entries(ends)) {
    it(`ends at once in the process in which the key is ${how}`, async () => {
      expect(await fixture.isGood(key)).to.equal(true);
      await end(fixture);
      expect(await fixture.isGood(key)).to.equal(false);
    });
  }

  it('follows narrowed scopes and access, and another plan, at once', async () => {
    await fixture.isGood(key);
    await fixture.change(key, { scopes: ['read:data'], access: { level: 'website', websiteIds: ['web_1'] } });
    await fixture.told.organizations.update('org_a', 'org_a', 1, { plan: 'pro' });
    const principal = await fixture.verdicts.judge(key, () => false);
    expect(principal?.caller).to.deep.include({
      scopes: ['read:data'],
      access: { level: 'website', websiteIds: ['web_1'] },
      plan: 'pro',
    });
  });

  it('becomes good at once when a disabled key is enabled', async () => {
    await fixture.change(key, { enabled: false });
    expect(await fixture.isGood(key)).to.equal(false);
    await fixture.change(key, { enabled: true });
    expect(await fixture.isGood(key)).to.equal(true);
  });

  it('is never older than 5 seconds when nobody tells of the change', async () => {
    expect(await fixture.isGood(key)).to.equal(true);
    await fixture.change(key, { revokedAt: '2026-07-15T12:00:00.000Z' }, fixture.documents);
    expect(await fixture.isGood(key)).to.equal(true);
    fixture.clock.advance(5_000);
    expect(await fixture.isGood(key)).to.equal(false);
  });

  it('ends when everything may have changed', async () => {
    await fixture.isGood(key);
    await fixture.change(key, { revokedAt: '2026-07-15T12:00:00.000Z' }, fixture.documents);
    fixture.bus.publish({ kind: 'everything' });
    expect(await fixture.isGood(key)).to.equal(false);
  });

  it('stays when another key, a user or a session changes', async () => {
    const other = await fixture.addKey();
    await fixture.isGood(key);
    await fixture.change(other, { enabled: false });
    fixture.bus.publish({ kind: 'user', id: 'usr_1' });
    fixture.bus.publish({ kind: 'session', id: 'ses_1' });
    expect(await fixture.isGood(key)).to.equal(true);
    expect(fixture.lookUps()).to.equal(1);
  });

  it('is not put back by a look-up that was under way when the key was revoked', async () => {
    const release = fixture.hold();
    const before = fixture.isGood(key);
    await new Promise((resolve) => setImmediate(resolve));
    await fixture.change(key, { revokedAt: '2026-07-15T12:00:00.000Z' });
    const after = fixture.isGood(key);
    release();
    await before;
    expect(await after, 'asked after the revocation, while the old look-up ran').to.equal(false);
    expect(await fixture.isGood(key)).to.equal(false);
  });

  it('is not put back as bad by a look-up that was under way when the key was enabled', async () => {
    await fixture.change(key, { enabled: false }, fixture.documents);
    const release = fixture.hold();
    const before = fixture.isGood(key);
    await new Promise((resolve) => setImmediate(resolve));
    await fixture.change(key, { enabled: true });
    release();
    await before;
    expect(await fixture.isGood(key)).to.equal(true);
  });

  it('judges expiry when it is asked, not when it was looked up', async () => {
    const short = await fixture.addKey({ expiresAt: '2026-07-15T12:00:01.000Z' });
    expect(await fixture.isGood(short)).to.equal(true);
    fixture.clock.advance(999);
    expect(await fixture.isGood(short)).to.equal(true);
    fixture.clock.advance(1);
    expect(await fixture.isGood(short)).to.equal(false);
    expect(fixture.lookUps()).to.equal(1);
  });

  it('is a fault, neither good nor bad, while the store fails, and is asked again after', async () => {
    fixture.failWith(new Error('down'));
    expect(await rejection(fixture.isGood(key))).to.include({ message: 'down' });
    fixture.failWith(null);
    expect(await fixture.isGood(key)).to.equal(true);
  });

  it('is a fault when the store took so long that the answer is old', async () => {
    const release = fixture.hold();
    const slow = rejection(fixture.isGood(key));
    await new Promise((resolve) => setImmediate(resolve));
    fixture.clock.advance(5_000);
    release();
    expect(await slow).to.include({ kind: 'SERVICE_UNAVAILABLE' });
    expect(await fixture.isGood(key)).to.equal(true);
  });
});

describe('keys of strangers', () => {
  let fixture: WatchedVerdicts;

  beforeEach(async () => {
    fixture = await createWatchedVerdicts();
  });

  it('cause no look-up when malformed', async () => {
    const good = newKey();
    const wrong = [
      '',
      'x',
      'tg_',
      `${good}x`,
      good.slice(1),
      good.replace('tg_', 'TG_'),
      `${good.slice(0, -1)}!`,
    ];
    for (let count = 0; count < 5_000; count++) {
      const text = newKey();
      wrong.push(text.slice(0, -1) + (text.endsWith('a') ? 'b' : 'a'));
    }
    for (const text of wrong) expect(fixture.verdicts.judge(text, () => true)).to.equal(null);
    expect(fixture.lookUps()).to.equal(0);
  });

  it('hold bounded memory when well-formed, and drop no good verdict', async () => {
    const key = await fixture.addKey();
    await fixture.isGood(key);
    for (let count = 0; count < 50_000; count++) await fixture.verdicts.judge(newKey(), () => true);
    expect(fixture.verdicts.held).to.be.at.most(20_001);
    expect(fixture.lookUps()).to.equal(50_001);
    expect(await fixture.isGood(key)).to.equal(true);
    expect(fixture.lookUps()).to.equal(50_001);
  });

  it('are looked up once in 4 seconds each', async () => {
    const unknown = newKey();
    for (let count = 0; count < 10; count++) expect(await fixture.isGood(unknown)).to.equal(false);
    expect(fixture.lookUps()).to.equal(1);
    fixture.clock.advance(4_000);
    await fixture.isGood(unknown);
    expect(fixture.lookUps()).to.equal(2);
  });

  it('cause no look-up when their address may not guess; a known key has one all the same', async () => {
    const early = await fixture.addKey();
    fixture.bus.publish({ kind: 'everything' });
    await fixture.index.settled();
    expect(await fixture.isGood(newKey(), false)).to.equal(false);
    expect(fixture.lookUps()).to.equal(0);
    expect(await fixture.isGood(early, false)).to.equal(true);
  });

  it('are known from the moment in which they are created', async () => {
    const key = await fixture.addKey();
    expect(await fixture.isGood(key, false)).to.equal(false);
    await fixture.change(key, { name: 'told' });
    expect(await fixture.isGood(key, false)).to.equal(true);
  });
});
