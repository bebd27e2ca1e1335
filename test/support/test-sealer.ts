/** What seals secrets in tests, with one key that is always the same. */
import { randomBytes } from 'node:crypto';
import { createSecretSealer, type SecretSealer } from '../../services/shared/credentials/secret-sealer.ts';

export function createTestSealer(): SecretSealer {
  return createSecretSealer([{ id: 'test-key', key: Buffer.alloc(32, 5) }], randomBytes);
}
