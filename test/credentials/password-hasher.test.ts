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
    const text = await hasher.hash('correct horse');
    expect(isOwnArgon2idText(text)).to.equal(true);
    expect(await hasher.verify(text, 'correct horse')).to.equal(true);
    expect(await hasher.verify(text, 'wrong horse')).to.equal(false);
  });

  it('has a decoy of the same parameters as new hashes', async () => {
    const parameters = (text: string) => text.split('$').slice(0, 4);
    expect(parameters(DECOY_HASH)).to.deep.equal(parameters(await hashPassword('x')));
    expect(await verifyPassword(DECOY_HASH, 'x')).to.equal(false);
  });

  it('runs two at a time in the order they came, and refuses what would wait behind a hundred with 503', async () => {
    const begun: { password: string; end: () => void }[] = [];
    let most = 0;
    let running = 0;
    const hasher = createPasswordHasher({
      hash: async (password) => {
        running++;
        most = Math.max(most, running);
        await new Promise<void>((end) => begun.push({ password, end }));
        running--;
        return password;
      },
      verify: async () => true,
    });
    const all = Array.from({ length: 102 }, (_, index) => hasher.hash(`${index}`));
    const refused = await rejection(hasher.hash('too many'));
    expect((refused as ApiError).kind).to.equal('SERVICE_UNAVAILABLE');
    expect((refused as ApiError).headers).to.deep.equal({ 'Retry-After': '1' });
    for (let index = 0; index < all.length; index++) {
      while (begun.length <= index) await new Promise((resolve) => setImmediate(resolve));
      begun[index]?.end();
    }
    await Promise.all(all);
    expect(begun.map(({ password }) => Number(password))).to.deep.equal(all.map((_, index) => index));
    expect(most).to.equal(2);
  });

  it('goes on after a failure', async () => {
    const hasher = createPasswordHasher({
      hash: async () => {
        throw new Error('no memory');
      },
      verify: async () => true,
    });
    for (let times = 0; times < 5; times++)
      expect(String(await rejection(hasher.hash('x')))).to.include('no memory');
    expect(await hasher.verify('x', 'x')).to.equal(true);
  });
});
