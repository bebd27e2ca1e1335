/** Sealed secrets open where they were sealed, by the key that sealed them, and nowhere else. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createSecretSealer } from '../../../../services/shared/credentials/secret-sealer.ts';

const PLACE = { organizationId: 'org_a', integrationId: 'int_a', field: 'secret' };
const OLD = { id: 'old', key: Buffer.alloc(32, 1) };
const NEW = { id: 'new', key: Buffer.alloc(32, 2) };
const TEXT = 'a secret of some length – ä😀';

describe('the secret sealer', () => {
  it('opens what it sealed, and seals the same text differently each time', () => {
    const sealer = createSecretSealer([OLD], randomBytes);
    const sealed = Array.from({ length: 100 }, () => sealer.seal(PLACE, TEXT));
    for (const secret of sealed) expect(sealer.open(PLACE, secret)).to.equal(TEXT);
    expect(new Set(sealed.map((secret) => secret.sealed)).size).to.equal(100);
    expect(JSON.stringify(sealed[0])).to.not.include('a secret');
  });

  it('opens nothing that was moved to another organization, integration or field', () => {
    const sealer = createSecretSealer([OLD], randomBytes);
    const sealed = sealer.seal(PLACE, TEXT);
    for (const moved of [
      { organizationId: 'org_b' },
      { integrationId: 'int_b' },
      { field: 'secrets.secret' },
    ]) {
      expect(sealer.open({ ...PLACE, ...moved }, sealed)).to.equal(null);
    }
    const shifted = { organizationId: 'org_a","int_a', integrationId: 'secret', field: '' };
    expect(sealer.open(shifted, sealed)).to.equal(null);
  });

  it('opens nothing of which a single bit was changed, and nothing cut short', () => {
    const sealer = createSecretSealer([OLD], randomBytes);
    const sealed = sealer.seal(PLACE, TEXT);
    const bytes = Buffer.from(sealed.sealed, 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(sealer.open(PLACE, { ...sealed, sealed: changed.toString('base64url') }), `byte ${at}`).to.equal(
        null,
      );
      const cut = bytes.subarray(0, at).toString('base64url');
      expect(sealer.open(PLACE, { ...sealed, sealed: cut }), `${at} bytes`).to.equal(null);
    }
  });

  it('seals with the first key and opens with any; what a key sealed that is gone stays shut', () => {
    const sealed = createSecretSealer([OLD], randomBytes).seal(PLACE, TEXT);
    const both = createSecretSealer([NEW, OLD], randomBytes);
    expect(both.open(PLACE, sealed)).to.equal(TEXT);
    expect(both.seal(PLACE, TEXT).keyId).to.equal('new');
    expect(createSecretSealer([NEW], randomBytes).open(PLACE, sealed)).to.equal(null);
    const renamed = { ...OLD, key: NEW.key };
    expect(createSecretSealer([renamed], randomBytes).open(PLACE, sealed)).to.equal(null);
  });

  it('keeps the end of a long secret to show, and nothing of a short one', () => {
    const sealer = createSecretSealer([OLD], randomBytes);
    expect(sealer.seal(PLACE, 'abcdefgh1234').last4).to.equal('1234');
    expect(sealer.seal(PLACE, 'abcdefg1234').last4).to.equal('');
    expect(sealer.seal(PLACE, '0123456789😀ab😀').last4).to.equal('😀ab😀');
  });

  it('refuses to start without a key, with a short one, and with two of one name', () => {
    expect(() => createSecretSealer([], randomBytes)).to.throw('a key is needed');
    expect(() => createSecretSealer([{ id: 'x', key: Buffer.alloc(31) }], randomBytes)).to.throw('31 bytes');
    expect(() => createSecretSealer([OLD, { ...NEW, id: 'old' }], randomBytes)).to.throw('same id');
  });
});
