/** Holds stored passwords to argon2id text. */
import { expect } from 'chai';
import {
  DECOY_HASH,
  hashPassword,
  isOwnArgon2idText,
  verifyPassword,
} from '../../../../services/shared/credentials/password.ts';

const SALT = 'c29tZXNhbHRzb21lc2FsdA';
const DIGEST = 'c4Mh2d/ze3TwloKBG/CP6sbHec/wB9K4w7PnixIFEwc';

describe('passwords', () => {
  it('become argon2id text of 19 MiB and 2 passes, another each time, that verifies only the right password', async () => {
    const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    expect(first).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).to.not.equal(second);
    expect([first, second, DECOY_HASH].map(isOwnArgon2idText)).to.deep.equal([true, true, true]);
    expect(await verifyPassword(first, 'correct horse')).to.equal(true);
    expect(await verifyPassword(first, 'correct horse ')).to.equal(false);
  });

  it('are recognized as argon2id text only when they are', () => {
    const refused = [
      '',
      'secret',
      '$2b$10$abcdefghijklmnopqrstuv',
      `$argon2i$v=19$m=19456,t=2,p=1$${SALT}$${DIGEST}`,
      `$argon2id$v=16$m=19456,t=2,p=1$${SALT}$${DIGEST}`,
      `$argon2id$v=19$m=19456,t=0,p=1$${SALT}$${DIGEST}`,
      `$argon2id$v=19$m=4,t=2,p=1$${SALT}$${DIGEST}`,
      `$argon2id$v=19$m=19456,t=2,p=1$${SALT}$`,
      `$argon2id$v=19$m=19456,t=2,p=1$${SALT}$${DIGEST}\n`,
    ];
    for (const text of refused) expect(isOwnArgon2idText(text), JSON.stringify(text)).to.equal(false);
    expect(isOwnArgon2idText(`$argon2id$v=19$m=19456,t=2,p=1$${SALT}$${DIGEST}`)).to.equal(true);
  });

  it('are taken as a hash of one cost alone, so that every one takes as long to verify as the decoy', () => {
    const costs = [
      'm=19455,t=2,p=1',
      'm=19457,t=2,p=1',
      'm=19456,t=1,p=1',
      'm=19456,t=3,p=1',
      'm=19456,t=2,p=2',
    ];
    for (const cost of [...costs, 'm=1048576,t=99,p=1', 'm=8,t=1,p=1', 'm=019456,t=2,p=1']) {
      expect(isOwnArgon2idText(`$argon2id$v=19$${cost}$${SALT}$${DIGEST}`), cost).to.equal(false);
    }
  });
});
