/** The password port: few at a time, a bounded line, and a decoy that costs what a user's password costs. */
import { expect } from 'chai';
import {
  DECOY_HASH,
  hashPassword,
  isOwnArgon2idText,
  verifyPassword,
} from '../../../../services/shared/credentials/password.ts';
import {
  createPasswordHasher,
  type PasswordHasher,
  type PasswordPlace,
} from '../../../../services/shared/credentials/password-hasher.ts';
import type { ApiError } from '../../../../services/shared/errors/api-error.ts';
import { rejection } from '../../../support/rejection.ts';

/** One work in a place of its own, which is given back then. */
async function once<T>(
  hasher: PasswordHasher,
  line: string,
  work: (place: PasswordPlace) => Promise<T>,
): Promise<T> {
  const place = hasher.place(line);
  try {
    return await work(place);
  } finally {
    place.giveBack();
  }
}
const hashOnce = (hasher: PasswordHasher, password: string, line: string) =>
  once(hasher, line, (place) => place.hash(password));

describe('the password hasher', () => {
  it('is argon2id', async () => {
    const hasher = createPasswordHasher();
    const text = await hashOnce(hasher, 'correct horse', 'a');
    expect(isOwnArgon2idText(text)).to.equal(true);
    expect(await once(hasher, 'a', (place) => place.verify(text, 'correct horse'))).to.equal(true);
    expect(await once(hasher, 'a', (place) => place.verify(text, 'wrong horse'))).to.equal(false);
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
    const all = Array.from({ length: 7 }, (_, index) => hashOnce(hasher, `${index}`, 'a'));
    await expectTooMany(hashOnce(hasher, 'too many', 'a'));
    expect(await endAll(7)).to.deep.equal(['0', '1', '2', '3', '4', '5', '6']);
    await Promise.all(all);
    expect(most.running).to.equal(2);
  });

  it('serves addresses in turn, so that a burst from one neither shuts out nor delays another', async () => {
    const { hasher, endAll } = createHeldHasher();
    const burst = Array.from({ length: 50 }, (_, index) =>
      hashOnce(hasher, `a${index}`, 'a').catch(() => 'refused'),
    );
    const others = ['b0', 'b1', 'c0'].map((password) => hashOnce(hasher, password, password.slice(0, 1)));
    expect(await endAll(10)).to.deep.equal(['a0', 'a1', 'a2', 'b0', 'c0', 'a3', 'b1', 'a4', 'a5', 'a6']);
    expect(await Promise.all(others)).to.deep.equal(['b0', 'b1', 'c0']);
    expect((await Promise.all(burst)).filter((outcome) => outcome === 'refused')).to.have.length(43);
  });

  it('verifies each of several texts in one place of the line, whatever came before', async () => {
    const verified: string[] = [];
    let running = 0;
    const hasher = createPasswordHasher({
      hash: async (password) => password,
      verify: async (passwordHash, password) => {
        expect(++running).to.be.at.most(2);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        verified.push(passwordHash);
        return passwordHash === password;
      },
    });
    const verifyEach = (texts: string[]) => once(hasher, 'one', (place) => place.verifyEach(texts, 'b'));
    const all = Array.from({ length: 7 }, () => verifyEach(['a', 'b', 'c', 'b', 'd']));
    expect(await rejection(verifyEach(['a']))).to.include({ kind: 'SERVICE_UNAVAILABLE' });
    for (const verdicts of await Promise.all(all))
      expect(verdicts).to.deep.equal([false, true, false, true, false]);
    expect(verified).to.have.length(35);
  });

  it('lets a hundred wait in all', async () => {
    const { hasher, endAll } = createHeldHasher();
    const all = Array.from({ length: 102 }, (_, index) => hashOnce(hasher, `${index}`, `${index % 50}`));
    await expectTooMany(hashOnce(hasher, 'too many', 'another'));
    await endAll(102);
    await Promise.all(all);
  });

  it('keeps a place that was taken, before its work and between two works, until it is given back', async () => {
    const { hasher, endAll } = createHeldHasher();
    const places = Array.from({ length: 7 }, () => hasher.place('a'));
    for (const place of [...places, ...places]) place.take();
    const [first, second] = places as [PasswordPlace, PasswordPlace];
    const another = hasher.place('a');
    expect(() => another.take()).to.throw('Too many passwords are being checked');
    await expectTooMany(another.hash('too many'));
    expect(await first.verify('x', 'x')).to.equal(true);
    expect(() => another.take()).to.throw('Too many passwords are being checked');
    // Given back while its work runs, it is free when that is over.
    const hashing = first.hash('0');
    first.giveBack();
    expect(() => another.take()).to.throw('Too many passwords are being checked');
    await endAll(1);
    await hashing;
    another.take();
    second.giveBack();
    second.giveBack();
    first.take();
    expect(() => second.take()).to.throw('Too many passwords are being checked');
    for (const place of [another, ...places]) place.giveBack();
    for (const place of places) place.take();
    expect(() => another.take()).to.throw('Too many passwords are being checked');
  });

  it('goes on after a failure', async () => {
    const hasher = createPasswordHasher({
      hash: async () => {
        throw new Error('no memory');
      },
      verify: async () => true,
    });
    for (let times = 0; times < 5; times++)
      expect(String(await rejection(hashOnce(hasher, 'x', 'a')))).to.include('no memory');
    expect(await once(hasher, 'a', (place) => place.verify('x', 'x'))).to.equal(true);
  });
});
