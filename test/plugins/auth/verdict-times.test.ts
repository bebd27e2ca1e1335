/** The verdicts on keys: how often the store is asked, and that nothing it says is served past its time. */

import { expect } from 'chai';
import { createKeyIndex } from '../../../plugins/auth/key-index.ts';
import { createKeyVerdicts, type KeyVerdicts } from '../../../plugins/auth/key-verdicts.ts';
import { SHIPPED_CATALOGUE } from '../../../services/shared/access/scope-catalogue.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import { MemoryBus } from '../../../services/shared/storage/memory/memory-bus.ts';
import { createStrictLogger } from '../../support/log-watch.ts';
import { rejection } from '../../support/rejection.ts';
import { createTestClock, type TestClock } from '../../support/test-clock.ts';
import { createWatchedKeys, newKey, type WatchedKeys } from '../../support/watched-keys.ts';

/** The time within which a change binds, in milliseconds (contract.md section 3). */
const BINDS_MS = 5_000;

describe('verdicts on keys that no bus tells of', () => {
  let clock: TestClock;
  let keys: WatchedKeys;
  let verdicts: KeyVerdicts;

  beforeEach(async () => {
    clock = createTestClock();
    keys = await createWatchedKeys(clock);
    const ports = { documents: keys.documents, bus: new MemoryBus(), clock };
    const index = createKeyIndex({ ...ports, logger: createStrictLogger() });
    await index.settled();
    // Nobody tells its bus of a change: verdicts end by their age alone.
    verdicts = createKeyVerdicts({ ...ports, index, scopes: SHIPPED_CATALOGUE });
  });

  const callerId = async (key = keys.key) => (await verdicts.judge(key, () => true))?.caller.id ?? null;
  const inMilliseconds = (time: number) => new Date(clock.now() + time).toISOString();

  describe('ask the store', () => {
    it('once for 100 parallel requests with one key', async () => {
      const ids = await Promise.all(Array.from({ length: 100 }, () => callerId()));
      expect(ids).to.deep.equal(Array(100).fill('key_0'));
      expect(keys.lookUps()).to.equal(1);
    });

    it('once for each of several keys in parallel, and give each its own principal', async () => {
      const other = newKey();
      await keys.addKey({}, other);
      const ids = await Promise.all([callerId(), callerId(other), callerId(newKey()), callerId()]);
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
        expect(
          verdicts.judge(key, () => true),
          key,
        ).to.equal(null);
      }
      expect(keys.lookUps()).to.equal(0);
    });

    it('not again while a verdict serves, good or bad', async () => {
      const unknown = newKey();
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
      keys.failWith(new Error('the store is down'));
      const failed = await Promise.all([rejection(callerId()), rejection(callerId())]);
      expect(failed.map(String)).to.deep.equal(Array(2).fill('Error: the store is down'));
      keys.failWith(null);
      expect(await callerId()).to.equal('key_0');
    });
  });

  describe('bind within 5 seconds', () => {
    const changes: Record<string, () => Promise<void>> = {
      'a revocation': () => keys.change(keys.key, { revokedAt: inMilliseconds(0) }),
      'a disabling': () => keys.change(keys.key, { enabled: false }),
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
      await keys.change(keys.key, { revokedAt: inMilliseconds(0) });
      clock.advance(BINDS_MS - 1);
      release();
      const fault = await rejection(slow);
      expect(fault).to.be.instanceOf(ApiError).with.property('kind', 'SERVICE_UNAVAILABLE');
      clock.advance(1);
      expect(await callerId()).to.equal(null);
    });

    it('another plan and other limits of the organization', async () => {
      expect((await verdicts.judge(keys.key, () => true))?.caller.plan).to.equal('free');
      await keys.changeOrganization({ plan: 'pro', limits: { perMinute: 7 } });
      clock.advance(BINDS_MS);
      const principal = await verdicts.judge(keys.key, () => true);
      expect(principal?.caller.plan).to.equal('pro');
      expect(principal?.limits).to.deep.equal({ perMinute: 7 });
    });

    it('narrower scopes and access', async () => {
      expect((await verdicts.judge(keys.key, () => true))?.caller.scopes).to.deep.equal(['read:data']);
      await keys.change(keys.key, {
        scopes: ['track:events'],
        access: { level: 'website', websiteIds: ['web_a'] },
      });
      clock.advance(BINDS_MS);
      const principal = await verdicts.judge(keys.key, () => true);
      expect(principal?.caller.scopes).to.deep.equal(['track:events']);
      expect(principal?.caller.access).to.deep.equal({ level: 'website', websiteIds: ['web_a'] });
    });

    it('a key that did not exist when it was first tried', async () => {
      const early = newKey();
      expect(await callerId(early)).to.equal(null);
      await keys.addKey({}, early);
      clock.advance(BINDS_MS);
      expect(await callerId(early)).to.equal('key_1');
    });

    it('the loss of the store: a verdict that it can no longer confirm is not served', async () => {
      expect(await callerId()).to.equal('key_0');
      keys.failWith(new Error('the store is down'));
      clock.advance(BINDS_MS);
      expect(String(await rejection(callerId()))).to.equal('Error: the store is down');
    });
  });

  describe('judge the expiry at each request', () => {
    it('of a remembered verdict, to the millisecond and without a look-up', async () => {
      await keys.change(keys.key, { expiresAt: inMilliseconds(2_000) });
      expect(await callerId()).to.equal('key_0');
      clock.advance(1_999);
      expect(await callerId()).to.equal('key_0');
      clock.advance(1);
      expect(await callerId()).to.equal(null);
      expect(keys.lookUps()).to.equal(1);
    });

    it('when the look-up ends, not when it began', async () => {
      await keys.change(keys.key, { expiresAt: inMilliseconds(100) });
      const release = keys.hold();
      const slow = callerId();
      clock.advance(100);
      release();
      expect(await slow).to.equal(null);
    });

    it('of a key that expired long ago', async () => {
      await keys.change(keys.key, { expiresAt: '2020-01-01T00:00:00.000Z' });
      expect(await callerId()).to.equal(null);
      expect(await callerId()).to.equal(null);
    });
  });
});
