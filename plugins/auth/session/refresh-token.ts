/** Refresh tokens: opaque text that proves which family and which rotation it is of, so that a spent one is known for good. */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from '../../../services/shared/credentials/api-key-text.ts';

/** Bytes of chance in a token. */
const RANDOM_BYTES = 32;
const TOKEN = /^(ses_[0-9a-z]{1,40})\.([1-9]\d{0,9})\.[A-Za-z0-9_-]{43}\.([A-Za-z0-9_-]{43})$/;
/** Keeps this use of the cookie key apart from others, and what is set under either name of the cookie from the other. */
const PURPOSES = { plain: 'tidegate refresh token\n', secure: 'tidegate secure refresh token\n' } as const;

/** A token that this service made, spent or not. */
export interface RefreshToken {
  readonly sessionId: string;
  readonly generation: number;
  /** SHA-256 of its text, lower-case hexadecimal: what is stored in its place. */
  readonly hash: string;
}

export interface RefreshTokens {
  /** The text of the token of a generation, and what is stored of it. */
  create(sessionId: string, generation: number): RefreshToken & { readonly text: string };
  /**
   * The token of a text, or null when this service did not make it, or made it for the prefixed cookie and it came by the
   * plain one (`isPrefixed` false); no store is asked.
   */
  read(text: string, isPrefixed: boolean): RefreshToken | null;
}

/**
 * Tokens sealed with `key` (32 bytes). `secure`: they are set under the prefixed name, and their seal says so, so that
 * nobody who has one can have it planted under the plain name, which earlier versions set and any host of the domain may.
 */
export function createRefreshTokens(
  key: Uint8Array,
  randomBytes: RandomBytes,
  secure: boolean,
): RefreshTokens {
  const seal = (body: string, name: keyof typeof PURPOSES): Buffer =>
    createHmac('sha256', key)
      .update(PURPOSES[name] + body)
      .digest();

  return {
    create(sessionId, generation) {
      const chance = Buffer.from(randomBytes(RANDOM_BYTES)).toString('base64url');
      const body = `${sessionId}.${generation}.${chance}`;
      const text = `${body}.${seal(body, secure ? 'secure' : 'plain').toString('base64url')}`;
      return { text, sessionId, generation, hash: hash('sha256', text, 'hex') };
    },
    read(text, isPrefixed) {
      const [, sessionId, generation, sealed = ''] = TOKEN.exec(text) ?? [];
      if (sessionId === undefined || generation === undefined) return null;
      const body = text.slice(0, -sealed.length - 1);
      const came = Buffer.from(sealed, 'base64url');
      const isSealedFor = (name: keyof typeof PURPOSES): boolean => {
        const expected = seal(body, name);
        return came.length === expected.length && timingSafeEqual(came, expected);
      };
      if (!isSealedFor('plain') && !(isPrefixed && isSealedFor('secure'))) return null;
      return { sessionId, generation: Number(generation), hash: hash('sha256', text, 'hex') };
    },
  };
}
