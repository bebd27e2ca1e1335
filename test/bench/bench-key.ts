/** A fresh API key for one run of the bench, in the format of every key of the product. */
import { randomInt } from 'node:crypto';
import crc32 from 'crc-32';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 43;
const CHECK_LENGTH = 6;

/** `<prefix>_<43 base62 characters>_<CRC-32 in base62>`. */
export function createBenchKey(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('');
  const text = `bench_${random}`;
  let rest = crc32.str(text) >>> 0;
  let check = '';
  for (let i = 0; i < CHECK_LENGTH; i++) {
    check = DIGITS[rest % DIGITS.length] + check;
    rest = Math.floor(rest / DIGITS.length);
  }
  return `${text}_${check}`;
}
