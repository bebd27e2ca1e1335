/**
 * The text of an API key: how it is made, checked without a look-up, and turned into what is stored (contract.md
 * section 3).
 */
import { hash } from 'node:crypto';
import crc32 from 'crc-32';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 43 characters of 62 hold 256 bits. */
const RANDOM_LENGTH = 43;
const CHECK_LENGTH = 6;
/**
 * The largest multiple of 62 within a byte: bytes from here on are rejected, since they would favour the first
 * characters.
 */
const UNBIASED_BELOW = 248;

const PREFIX = /^[a-z][a-z0-9]{0,15}$/;
const KEY_TEXT = /^[a-z][a-z0-9]{0,15}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/;
/** Longest text of a key: prefix, random part, checksum, and the two underscores between them. */
const MAX_LENGTH = 16 + 1 + RANDOM_LENGTH + 1 + CHECK_LENGTH;

/** Unpredictable bytes; `node:crypto`'s `randomBytes` outside tests. */
export type RandomBytes = (size: number) => Uint8Array;

/** Whether `prefix` may stand before a key: a lower-case letter, then up to 15 lower-case letters or digits. */
export function isApiKeyPrefix(prefix: string): boolean {
  return PREFIX.test(prefix);
}

/** A new key text `<prefix>_<random>_<check>` with 256 random bits. @throws RangeError for an impossible prefix. */
export function createApiKeyText(prefix: string, randomBytes: RandomBytes): string {
  if (!isApiKeyPrefix(prefix)) {
    throw new RangeError(`a key prefix is [a-z][a-z0-9]{0,15}, not ${JSON.stringify(prefix)}`);
  }
  const body = `${prefix}_${randomText(randomBytes)}`;
  return `${body}_${checkOf(body)}`;
}

/** Whether `text` has the form of a key and its checksum is right. Cheap, so that nonsense costs no look-up. */
export function isWellFormedApiKey(text: string): boolean {
  if (text.length > MAX_LENGTH || !KEY_TEXT.test(text)) return false;
  const start = text.length - CHECK_LENGTH;
  let rest = crc32.bstr(text.slice(0, start - 1)) >>> 0;
  for (let i = text.length - 1; i >= start; i--) {
    if (text.charCodeAt(i) !== BASE62.charCodeAt(rest % 62)) return false;
    rest = Math.floor(rest / 62);
  }
  return true;
}

/**
 * What is stored instead of the text: its SHA-256 in lower-case hexadecimal. The text is 256 random bits, so it needs
 * no salt.
 */
export function hashApiKey(text: string): string {
  return hash('sha256', text, 'hex');
}

/** What lets a person recognize a key: the first 8 and last 4 characters of its text. */
export function describeApiKey(text: string): { start: string; last4: string } {
  return { start: text.slice(0, 8), last4: text.slice(-4) };
}

function randomText(randomBytes: RandomBytes): string {
  let text = '';
  while (text.length < RANDOM_LENGTH) {
    for (const byte of randomBytes(RANDOM_LENGTH - text.length)) {
      if (byte < UNBIASED_BELOW) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** CRC-32 (IEEE) of an ASCII text, in base62, padded to six characters. */
function checkOf(ascii: string): string {
  let rest = crc32.bstr(ascii) >>> 0;
  let text = '';
  for (let i = 0; i < CHECK_LENGTH; i++) {
    text = `${BASE62[rest % 62]}${text}`;
    rest = Math.floor(rest / 62);
  }
  return text;
}
