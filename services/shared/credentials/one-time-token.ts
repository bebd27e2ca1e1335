/** Tokens that serve once, handed over by people: only their hash is stored. */
import { hash } from 'node:crypto';
import type { RandomBytes } from './api-key-text.ts';

const TOKEN_BYTES = 32;

/** A new token: 256 random bits as 43 characters of base64url. */
export function createOneTimeToken(randomBytes: RandomBytes): string {
  return Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url');
}

/** What is stored instead: its SHA-256, lower-case hexadecimal. */
export function hashOneTimeToken(token: string): string {
  return hash('sha256', token, 'hex');
}
