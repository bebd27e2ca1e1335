<<<<<<< HEAD
/** How long a verdict on a key lives, what ends it early, and what strangers' keys cost. */
import { expect } from 'chai';
import { hashApiKey } from '../../../services/shared/credentials/api-key-text.ts';
import { createVerdictFixture, newKey, type VerdictFixture } from '../../support/key-verdicts.ts';
import { rejection } from '../../support/rejection.ts';

describe('the verdict on a key', () => {
  let fixture: VerdictFixture;
  let key: string;

  beforeEach(async () => {
    fixture = await createVerdictFixture();
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

  const ends: Record<string, (f: VerdictFixture) => Promise<unknown>> = {
    revoked: (f) => f.change(key, { revokedAt: '2026-07-15T12:00:00.000Z' }),
    disabled: (f) => f.change(key, { enabled: false }),
    deleted: async (f) => {
      const stored = await f.documents.apiKeys.findUnique('keyHash', [hashApiKey(key)]);
      await f.documents.apiKeys.remove('org_a', stored?.id ?? '');
    },
    'given another secret': (f) => f.change(key, { keyHash: 'ffff' }),
    'of an organization that is gone': (f) => f.documents.organizations.remove('org_a', 'org_a'),
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
    await fixture.documents.organizations.update('org_a', 'org_a', 1, { plan: 'pro' });
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
    await fixture.change(key, { revokedAt: '2026-07-15T12:00:00.000Z' }, fixture.silent);
    expect(await fixture.isGood(key)).to.equal(true);
    fixture.clock.advance(5_000);
    expect(await fixture.isGood(key)).to.equal(false);
  });

  it('ends when everything may have changed', async () => {
    await fixture.isGood(key);
    await fixture.change(key, { revokedAt: '2026-07-15T12:00:00.000Z' }, fixture.silent);
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
    await fixture.change(key, { enabled: false }, fixture.silent);
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
  let fixture: VerdictFixture;

  beforeEach(async () => {
    fixture = await createVerdictFixture();
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
=======
/** The verdicts on keys: how often the store is asked, and that nothing it says is served past its time. */
import { expect } from 'chai';
import { createKeyVerdicts, type KeyVerdicts } from '../../../plugins/auth/key-verdicts.ts';
import { rejection } from '../../support/rejection.ts';
import { createTestClock, type TestClock } from '../../support/test-clock.ts';
import { createWatchedKeys, strangeKey, type WatchedKeys } from '../../support/watched-keys.ts';

/** The time within which a change binds, in milliseconds (contract.md section 3). */
const BINDS_MS = 5_000;

describe('verdicts on keys', () => {
  let clock: TestClock;
  let keys: WatchedKeys;
  let verdicts: KeyVerdicts;

  beforeEach(async () => {
    clock = createTestClock();
    keys = await createWatchedKeys(clock);
    verdicts = createKeyVerdicts(keys.documents, clock);
  });

  const callerId = async (key = keys.key) => (await verdicts.judge(key))?.caller.id ?? null;
  const inMilliseconds = (time: number) => new Date(clock.now() + time).toISOString();

  describe('ask the store', () => {
    it('once for 100 parallel requests with one key', async () => {
      const ids = await Promise.all(Array.from({ length: 100 }, () => callerId()));
      expect(ids).to.deep.equal(Array(100).fill('key_0'));
      expect(keys.lookUps()).to.equal(1);
    });

    it('once for each of several keys in parallel, and give each its own principal', async () => {
      const other = strangeKey();
      await keys.add(other);
      const ids = await Promise.all([callerId(), callerId(other), callerId(strangeKey()), callerId()]);
      expect(ids).to.deep.equal(['key_0', 'key_1', null, 'key_0']);
      expect(keys.lookUps()).to.equal(3);
    });

    it('not at all for a key that is malformed or has a wrong check', () => {
      const wrongCheck = `${keys.key.slice(0, -1)}${keys.key.endsWith('0') ? '1' : '0'}`;
      for (const key of [
        'nonsense',
        wrongCheck,
        keys.key.toUpperCase(),
        `${keys.key}0`,
        'tg__',
        'x'.repeat(9_000),
      ]) {
        expect(verdicts.judge(key), key).to.equal(null);
      }
      expect(keys.lookUps()).to.equal(0);
    });

    it('not again while a verdict serves, good or bad', async () => {
      const unknown = strangeKey();
      await Promise.all([callerId(), callerId(unknown)]);
      expect(keys.lookUps()).to.equal(2);
      clock.advance(3_000);
      for (let count = 0; count < 50; count++) {
        expect(await callerId()).to.equal('key_0');
        expect(await callerId(unknown)).to.equal(null);
      }
      expect(keys.lookUps()).to.equal(2);
    });

    it('again after a look-up that failed: a fault is no verdict', async () => {
      keys.setDown(true);
      const failed = await Promise.all([rejection(callerId()), rejection(callerId())]);
      expect(failed.map(String)).to.deep.equal(Array(2).fill('Error: the store is down'));
      keys.setDown(false);
      expect(await callerId()).to.equal('key_0');
    });
  });

  describe('bind within 5 seconds', () => {
    const changes: Record<string, () => Promise<void>> = {
      'a revocation': () => keys.changeKey({ revokedAt: inMilliseconds(0) }),
      'a disabling': () => keys.changeKey({ enabled: false }),
      'the removal of its key': async () => {
        await keys.documents.apiKeys.remove('org_a', 'key_0');
      },
      'the removal of its organization': async () => {
        await keys.documents.organizations.remove('org_a', 'org_a');
      },
    };
    for (const [name, change] of Object.entries(changes)) {
      it(name, async () => {
        expect(await callerId()).to.equal('key_0');
        await change();
        clock.advance(BINDS_MS);
        expect(await callerId()).to.equal(null);
      });
    }

    it('a revocation that comes while a slow look-up is under way', async () => {
      const release = keys.hold();
      const slow = callerId();
      await new Promise((resolve) => setImmediate(resolve));
      await keys.changeKey({ revokedAt: inMilliseconds(0) });
      clock.advance(BINDS_MS - 1);
      release();
      await slow;
      clock.advance(1);
      expect(await callerId()).to.equal(null);
    });

    it('another plan and other limits of the organization', async () => {
      expect((await verdicts.judge(keys.key))?.caller.plan).to.equal('free');
      await keys.changeOrganization({ plan: 'pro', limits: { perMinute: 7 } });
      clock.advance(BINDS_MS);
      const principal = await verdicts.judge(keys.key);
      expect(principal?.caller.plan).to.equal('pro');
      expect(principal?.limits).to.deep.equal({ perMinute: 7 });
    });

    it('narrower scopes and access', async () => {
      expect((await verdicts.judge(keys.key))?.caller.scopes).to.deep.equal(['read:data']);
      await keys.changeKey({ scopes: ['track:events'], access: { level: 'website', websiteIds: ['web_a'] } });
      clock.advance(BINDS_MS);
      const principal = await verdicts.judge(keys.key);
      expect(principal?.caller.scopes).to.deep.equal(['track:events']);
      expect(principal?.caller.access).to.deep.equal({ level: 'website', websiteIds: ['web_a'] });
    });

    it('a key that did not exist when it was first tried', async () => {
      const early = strangeKey();
      expect(await callerId(early)).to.equal(null);
      await keys.add(early);
      clock.advance(BINDS_MS);
      expect(await callerId(early)).to.equal('key_1');
    });

    it('the loss of the store: a verdict that it can no longer confirm is not served', async () => {
      expect(await callerId()).to.equal('key_0');
      keys.setDown(true);
      clock.advance(BINDS_MS);
      expect(String(await rejection(callerId()))).to.equal('Error: the store is down');
    });
  });

  describe('judge the expiry at each request', () => {
    it('of a remembered verdict, to the millisecond and without a look-up', async () => {
      await keys.changeKey({ expiresAt: inMilliseconds(2_000) });
      expect(await callerId()).to.equal('key_0');
      clock.advance(1_999);
      expect(await callerId()).to.equal('key_0');
      clock.advance(1);
      expect(await callerId()).to.equal(null);
      expect(keys.lookUps()).to.equal(1);
    });

    it('when the look-up ends, not when it began', async () => {
      await keys.changeKey({ expiresAt: inMilliseconds(100) });
      const release = keys.hold();
      const slow = callerId();
      clock.advance(100);
      release();
      expect(await slow).to.equal(null);
    });

    it('of a key that expired long ago', async () => {
      await keys.changeKey({ expiresAt: '2020-01-01T00:00:00.000Z' });
      expect(await callerId()).to.equal(null);
      expect(await callerId()).to.equal(null);
    });
>>>>>>> main
  });
});
