/** The password port: few at a time, a bounded line, and a decoy that costs what a user's password costs. */
import { expect } from 'chai';
import {
  DECOY_HASH,
  hashPassword,
  isOwnArgon2idText,
  verifyPassword,
} from '../../services/shared/credentials/password.ts';
import { createPasswordHasher } from '../../services/shared/credentials/password-hasher.ts';
import type { ApiError } from '../../services/shared/errors/api-error.ts';
import { rejection } from '../support/rejection.ts';

describe('the password hasher', () => {
  it('is argon2id', async () => {
    const hasher = createPasswordHasher();
    const text = await hasher.hash('correct horse', 'a');
    expect(isOwnArgon2idText(text)).to.equal(true);
    expect(await hasher.verify(text, 'correct horse', 'a')).to.equal(true);
    expect(await hasher.verify(text, 'wrong horse', 'a')).to.equal(false);
  });

  it('has a decoy of the same parameters as new hashes', async () => {
    const parameters = (text: string) => text.split('$').slice(0, 4);
    expect(parameters(DECOY_HASH)).to.deep.equal(parameters(await hashPassword('x')));
    expect(await verifyPassword(DECOY_HASH, 'x')).to.equal(false);
  });

  /** A hasher whose work ends when it is told to, in the order of beginning. */
  function createHeldHasher() {
    const begun: { password: string; end: () => void }[] = [];
    const most = { running: 0 };
    let running = 0;
    const hasher = createPasswordHasher({
      hash: async (password) => {
        running++;
        most.running = Math.max(most.running, running);
        await new Promise<void>((end) => begun.push({ password, end }));
        running--;
        return password;
      },
      verify: async () => true,
    });
    async function endAll(count: number): Promise<string[]> {
      for (let index = 0; index < count; index++) {
        while (begun.length <= index) await new Promise((resolve) => setImmediate(resolve));
        begun[index]?.end();
      }
      return begun.map(({ password }) => password);
    }
    return { hasher, endAll, most };
  }
  async function expectTooMany(hashing: Promise<string>): Promise<void> {
    const refused = (await rejection(hashing)) as ApiError;
    expect([refused.kind, refused.headers]).to.deep.equal(['SERVICE_UNAVAILABLE', { 'Retry-After': '1' }]);
  }

  it('runs two at a time, those of one address in the order they came, and refuses with 503 what would wait behind five', async () => {
    const { hasher, endAll, most } = createHeldHasher();
    const all = Array.from({ length: 7 }, (_, index) => hasher.hash(`${index}`, 'a'));
    await expectTooMany(hasher.hash('too many', 'a'));
    expect(await endAll(7)).to.deep.equal(['0', '1', '2', '3', '4', '5', '6']);
    await Promise.all(all);
    expect(most.running).to.equal(2);
  });

  it('serves addresses in turn, so that a burst from one neither shuts out nor delays another', async () => {
    const { hasher, endAll } = createHeldHasher();
    const burst = Array.from({ length: 50 }, (_, index) =>
      hasher.hash(`a${index}`, 'a').catch(() => 'refused'),
    );
    const others = ['b0', 'b1', 'c0'].map((password) => hasher.hash(password, password.slice(0, 1)));
    expect(await endAll(10)).to.deep.equal(['a0', 'a1', 'a2', 'b0', 'c0', 'a3', 'b1', 'a4', 'a5', 'a6']);
    expect(await Promise.all(others)).to.deep.equal(['b0', 'b1', 'c0']);
    expect((await Promise.all(burst)).filter((outcome) => outcome === 'refused')).to.have.length(43);
  });

  it('lets a hundred wait in all', async () => {
    const { hasher, endAll } = createHeldHasher();
    const all = Array.from({ length: 102 }, (_, index) => hasher.hash(`${index}`, `${index % 50}`));
    await expectTooMany(hasher.hash('too many', 'another'));
    await endAll(102);
    await Promise.all(all);
  });

  it('goes on after a failure', async () => {
    const hasher = createPasswordHasher({
      hash: async () => {
        throw new Error('no memory');
      },
      verify: async () => true,
    });
    for (let times = 0; times < 5; times++)
      expect(String(await rejection(hasher.hash('x', 'a')))).to.include('no memory');
    expect(await hasher.verify('x', 'x', 'a')).to.equal(true);
  });
});
