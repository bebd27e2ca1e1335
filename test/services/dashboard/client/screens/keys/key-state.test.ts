/** The state of an API key as the pages mark it: at each bound, and what comes before what. */
import { expect } from 'chai';
import {
  lifeOf,
  oldSecretUntil,
  unuseOf,
} from '../../../../../../services/dashboard/client/screens/keys/key-state.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const DAY = 86_400_000;
const at = (fromNow: number): string => new Date(NOW + fromNow).toISOString();

const ALIVE = {
  revokedAt: null,
  expiresAt: null,
  enabled: true,
  lastUsedAt: at(-60_000),
  createdAt: at(-200 * DAY),
  previousValidUntil: null,
};

describe('the state of an API key', () => {
  const lives = [
    [{}, 'active'],
    [{ expiresAt: at(14 * DAY + 1) }, 'active'],
    [{ expiresAt: at(14 * DAY) }, 'expiring'],
    [{ expiresAt: at(1) }, 'expiring'],
    [{ expiresAt: at(0) }, 'expired'],
    [{ expiresAt: at(-DAY) }, 'expired'],
    [{ enabled: false }, 'disabled'],
    [{ enabled: false, expiresAt: at(DAY) }, 'disabled'],
    [{ enabled: false, expiresAt: at(-DAY) }, 'expired'],
    [{ enabled: false, expiresAt: at(-DAY), revokedAt: at(-1) }, 'revoked'],
  ] as const;
  for (const [difference, life] of lives) {
    it(`is ${life} with ${JSON.stringify(difference)}`, () => {
      expect(lifeOf({ ...ALIVE, ...difference }, NOW)).to.equal(life);
    });
  }

  const unuses = [
    [{}, null],
    [{ lastUsedAt: at(-90 * DAY + 1) }, null],
    [{ lastUsedAt: at(-90 * DAY) }, 'long'],
    [{ lastUsedAt: null, createdAt: at(-90 * DAY + 1) }, 'never'],
    [{ lastUsedAt: null, createdAt: at(-90 * DAY) }, 'long'],
    [{ lastUsedAt: at(-90 * DAY), enabled: false }, null],
    [{ lastUsedAt: null, revokedAt: at(-1) }, null],
    [{ lastUsedAt: at(-90 * DAY), expiresAt: at(DAY) }, 'long'],
  ] as const;
  for (const [difference, unuse] of unuses) {
    it(`is ${unuse ?? 'no'} unuse with ${JSON.stringify(difference)}`, () => {
      expect(unuseOf({ ...ALIVE, ...difference }, NOW)).to.equal(unuse);
    });
  }

  it('counts the old secret until it ends, and not for a key that is refused itself', () => {
    const rotated = { ...ALIVE, previousValidUntil: at(5_000) };
    expect(oldSecretUntil(ALIVE, NOW)).to.equal(null);
    expect(oldSecretUntil(rotated, NOW)).to.equal(NOW + 5_000);
    expect(oldSecretUntil(rotated, NOW + 5_000)).to.equal(null);
    expect(oldSecretUntil({ ...rotated, enabled: false }, NOW)).to.equal(null);
    expect(oldSecretUntil({ ...rotated, revokedAt: at(-1) }, NOW)).to.equal(null);
  });
});
