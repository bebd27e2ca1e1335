/**
 * Encrypts secrets that must be readable again (AES-256-GCM, NIST SP 800-38D), each bound to the place where it is
 * stored.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { SealedSecret } from '../model/integration.ts';
import type { RandomBytes } from './api-key-text.ts';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Shorter secrets show no ending, since it would reveal too much of them. */
const SHORTEST_WITH_END = 12;
const SHOWN_CHARACTERS = 4;

export interface SealingKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** Where a secret is stored: a secret sealed for one place does not open in another. */
export interface SecretPlace {
  readonly organizationId: string;
  readonly integrationId: string;
  /** Name of the secret within its integration. */
  readonly field: string;
}

export interface SecretSealer {
  /** Identifier of the sealing key. */
  readonly keyId: string;
  seal(place: SecretPlace, text: string): SealedSecret;
  /** The plain text; null when no key opens it: its key is gone, or it was changed or moved. */
  open(place: SecretPlace, secret: SealedSecret): string | null;
}

/**
 * Seals with the first key, opens with any. @throws RangeError without keys, for a key of the wrong length or a
 * repeated id
 */
export function createSecretSealer(keys: readonly SealingKey[], randomBytes: RandomBytes): SecretSealer {
  const [first] = keys;
  if (first === undefined) throw new RangeError('a key is needed to seal secrets');
  const byId = new Map(keys.map(({ id, key }) => [id, key]));
  if (byId.size < keys.length) throw new RangeError('two keys that seal secrets have the same id');
  const short = keys.find(({ key }) => key.length !== KEY_BYTES);
  if (short) throw new RangeError(`the key ${short.id} has ${short.key.length} bytes; it takes ${KEY_BYTES}`);

  return {
    keyId: first.id,
    seal(place, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, first.key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(placeBytes(place));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return { keyId: first.id, sealed: sealed.toString('base64url'), last4: endOf(text) };
    },
    open(place, { keyId, sealed }) {
      const key = byId.get(keyId);
      const bytes = Buffer.from(sealed, 'base64url');
      if (key === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const options = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), options);
      decipher.setAAD(placeBytes(place));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}

/** The place as authenticated data; JSON keeps its parts separate. */
function placeBytes({ organizationId, integrationId, field }: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify(['integration-secret', organizationId, integrationId, field]), 'utf8');
}

function endOf(text: string): string {
  const characters = [...text];
  return characters.length < SHORTEST_WITH_END ? '' : characters.slice(-SHOWN_CHARACTERS).join('');
}
