/** Changes, rotates and revokes an API key. The same for the CLI and the API. */
import {
  createApiKeyText,
  describeApiKey,
  hashApiKey,
  type RandomBytes,
} from '../../shared/credentials/api-key-text.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import type { ApiKey } from '../../shared/model/api-key.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { writeMatching } from '../write-matching.ts';
import { judgeApiKey } from './judge-api-key.ts';
import { type ApiKeyChanges, apiKeyChangesSchema } from './schema.ts';

export interface ChangeApiKeyPorts {
  readonly documents: DocumentStore;
  readonly clock: Clock;
}

/** Which key, and which version of it when the caller says so. */
export interface ApiKeyTarget {
  readonly organizationId: string;
  readonly id: string;
  readonly ifMatch?: string | undefined;
}

const KIND = 'API key';

/**
 * The key with what `asked` names changed.
 * @throws ApiError VALIDATION_ERROR, NOT_FOUND, PRECONDITION_FAILED; CONFLICT for a revoked key, which is final
 */
export async function changeApiKey(
  ports: ChangeApiKeyPorts,
  target: ApiKeyTarget,
  asked: ApiKeyChanges,
): Promise<ApiKey> {
  const changes = await judgeApiKey(ports, apiKeyChangesSchema, target.organizationId, asked);
  const { document } = await writeMatching(ports.documents.apiKeys, {
    ...target,
    kind: KIND,
    changesOf(existing: ApiKey) {
      requireNotRevoked(existing);
      return Object.keys(changes).length === 0 ? null : changes;
    },
  });
  return document;
}

export interface RotatedApiKey {
  readonly apiKey: ApiKey;
  /** The new text of the key, shown this once. */
  readonly secret: string;
}

/**
 * Gives the key a new secret. The old one serves for `graceSeconds` more, never past the key's expiry; one that was
 * rotated out before ends at once.
 * @throws ApiError NOT_FOUND, PRECONDITION_FAILED; CONFLICT for a revoked or expired key
 */
export async function rotateApiKey(
  ports: ChangeApiKeyPorts & { readonly randomBytes: RandomBytes },
  target: ApiKeyTarget,
  { graceSeconds, prefix }: { readonly graceSeconds: number; readonly prefix: string },
): Promise<RotatedApiKey> {
  const secret = createApiKeyText(prefix, ports.randomBytes);
  const { document } = await writeMatching(ports.documents.apiKeys, {
    ...target,
    kind: KIND,
    changesOf(existing: ApiKey) {
      requireNotRevoked(existing);
      const now = ports.clock.now();
      const expiresAtMs =
        existing.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(existing.expiresAt);
      if (expiresAtMs <= now) {
        throw new ApiError('CONFLICT', {
          text: `The API key "${existing.id}" has expired: change expiresAt first.`,
        });
      }
      return {
        keyHash: hashApiKey(secret),
        ...describeApiKey(secret),
        previousKeyHash: existing.keyHash,
        previousValidUntil: new Date(Math.min(now + graceSeconds * 1000, expiresAtMs)).toISOString(),
      };
    },
  });
  return { apiKey: document, secret };
}

/** Ends the key and its rotated-out secret for good; again: nothing. @throws ApiError NOT_FOUND, PRECONDITION_FAILED */
export async function revokeApiKey(
  { documents, clock }: ChangeApiKeyPorts,
  target: ApiKeyTarget,
): Promise<{ readonly apiKey: ApiKey; readonly changed: boolean }> {
  const { document, changed } = await writeMatching(documents.apiKeys, {
    ...target,
    kind: KIND,
    changesOf: (existing: ApiKey) =>
      existing.revokedAt === null ? { revokedAt: new Date(clock.now()).toISOString() } : null,
  });
  return { apiKey: document, changed };
}

function requireNotRevoked(key: ApiKey): void {
  if (key.revokedAt === null) return;
  throw new ApiError('CONFLICT', {
    text: `The API key "${key.id}" is revoked for good: create another one.`,
  });
}
