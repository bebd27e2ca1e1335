/** Holds the format of API keys to contract.md section 3. */
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  createApiKeyText,
  describeApiKey,
  hashApiKey,
  isWellFormedApiKey,
} from '../../../../services/shared/credentials/api-key-text.ts';

const BASE62 = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
const prefixes = fc.stringMatching(/^[a-z][a-z0-9]{0,15}$/);
const seeds = fc.uint8Array({ minLength: 64, maxLength: 64 });

/** Random bytes that repeat `seed`, with something below 248 in it so that they end. */
function bytesOf(seed: Uint8Array): (size: number) => Uint8Array {
  let at = 0;
  return (size) =>
    Uint8Array.from({ length: size }, () => (at++ % 3 === 2 ? 7 : (seed[at % seed.length] ?? 0)));
}

/** The check as the contract words it, by another implementation of CRC-32 and big integers. */
function checkByTheContract(text: string): string {
  let rest = BigInt(crc32(Buffer.from(text, 'ascii')));
  let check = '';
  for (; rest > 0n; rest /= 62n) check = `${BASE62[Number(rest % 62n)]}${check}`;
  return check.padStart(6, '0');
}

describe('API key text', () => {
  it('is <prefix>_<43 base62>_<check>, the check being the CRC-32 in base62 padded to 6', () => {
    fc.assert(
      fc.property(prefixes, seeds, (prefix, seed) => {
        const text = createApiKeyText(prefix, bytesOf(seed));
        expect(text).to.match(/^[a-z][a-z0-9]{0,15}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/);
        const [first, random, check] = text.split('_');
        expect(first).to.equal(prefix);
        expect(check).to.equal(checkByTheContract(`${prefix}_${random}`));
        expect(isWellFormedApiKey(text)).to.equal(true);
      }),
    );
  });

  it('accepts a text whose check another implementation computed', () => {
    const body = `tg_${'0'.repeat(42)}A`;
    expect(isWellFormedApiKey(`${body}_${checkByTheContract(body)}`)).to.equal(true);
  });

  it('refuses a text with any one character changed', () => {
    fc.assert(
      fc.property(
        seeds,
        fc.nat(),
        fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 1 }),
        (seed, at, other) => {
          const text = createApiKeyText('tg', bytesOf(seed));
          const i = at % text.length;
          fc.pre(text[i] !== other);
          expect(isWellFormedApiKey(`${text.slice(0, i)}${other}${text.slice(i + 1)}`)).to.equal(false);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('refuses two neighbours swapped, a character lost, a character too many, and line ends', () => {
    const text = createApiKeyText('tg', randomBytes);
    for (let i = 0; i < text.length - 1; i++) {
      const swapped = `${text.slice(0, i)}${text[i + 1]}${text[i]}${text.slice(i + 2)}`;
      if (swapped !== text) expect(isWellFormedApiKey(swapped), swapped).to.equal(false);
      expect(isWellFormedApiKey(text.slice(0, i) + text.slice(i + 1))).to.equal(false);
    }
    for (const other of ['', 'tg_', `${text}0`, `${text}\n`, ` ${text}`, `TG${text.slice(2)}`]) {
      expect(isWellFormedApiKey(other), JSON.stringify(other)).to.equal(false);
    }
  });

  it('refuses a megabyte of nonsense without reading it', () => {
    expect(isWellFormedApiKey('a'.repeat(1_048_576))).to.equal(false);
  });

  it('draws every character equally often', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 2000; i++) {
      for (const character of createApiKeyText('tg', randomBytes).split('_')[1] ?? '') {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    const expected = (2000 * 43) / 62;
    expect([...counts.keys()].sort()).to.deep.equal([...BASE62].sort());
    let chiSquare = 0;
    for (const count of counts.values()) chiSquare += (count - expected) ** 2 / expected;
    // 61 degrees of freedom: beyond 140 once in ten million runs; a plain `byte % 62` gives about 600.
    expect(chiSquare).to.be.below(140);
  });

  it('never uses the bytes that would favour the first characters', () => {
    let calls = 0;
    const text = createApiKeyText('tg', (size) => new Uint8Array(size).fill(calls++ === 0 ? 255 : 61));
    expect(text.split('_')[1]).to.equal('z'.repeat(43));
  });

  it('refuses prefixes that the format does not know', () => {
    for (const prefix of ['', 'T', '1a', 'a_b', 'a'.repeat(17), 'é']) {
      expect(() => createApiKeyText(prefix, randomBytes), prefix).to.throw(RangeError, 'a key prefix is');
    }
  });

  it('is stored as SHA-256, the first 8 and the last 4 characters', () => {
    const text = createApiKeyText('tg', randomBytes);
    expect(hashApiKey(text)).to.equal(createHash('sha256').update(text).digest('hex'));
    expect(describeApiKey(text)).to.deep.equal({ start: text.slice(0, 8), last4: text.slice(-4) });
  });
});
