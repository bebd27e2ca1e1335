/** Changes, rotates and revokes an API key, for the CLI and the API alike. */
import type { z } from 'zod';
import type { ScopeCatalogue } from '../../shared/access/scope-catalogue.ts';
import type { Scope } from '../../shared/access/scopes.ts';
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
import { requireHeldScopes } from './require-held-scopes.ts';
import type { ApiKeySchemas } from './schema.ts';

export interface ChangeApiKeyPorts {
  readonly documents: DocumentStore;
  readonly clock: Clock;
  /** The scopes in force. */
  scopes(): ScopeCatalogue;
}

/** Which key, and which version of it if the caller states one. */
export interface ApiKeyTarget {
  readonly organizationId: string;
  readonly id: string;
  readonly ifMatch?: string | undefined;
  /** The scopes of who asks; absent for the operator, who may give any. */
  readonly held?: readonly Scope[];
}

const KIND = 'API key';

/**
 * The key with the fields in `changes` changed, which are already validated.
 * @throws ApiError NOT_FOUND, PRECONDITION_FAILED; CONFLICT for a revoked key, which is final; INSUFFICIENT_SCOPE where the
 * change would give what who asks does not hold
 */
export async function changeApiKey(
  ports: ChangeApiKeyPorts,
  target: ApiKeyTarget,
  changes: z.output<ApiKeySchemas['changes']>,
): Promise<ApiKey> {
  const { document } = await writeMatching(ports.documents.apiKeys, {
    ...target,
    kind: KIND,
    changesOf(existing: ApiKey) {
      requireNotRevoked(existing);
      requireHeldScopes(ports.scopes(), givenBy(existing, changes), target.held);
      return Object.keys(changes).length === 0 ? null : changes;
    },
  });
  return document;
}

export interface RotatedApiKey {
  readonly apiKey: ApiKey;
  /** The new text of the key, shown only now. */
  readonly secret: string;
}

/**
 * Gives the key a new secret. The old one works for `graceSeconds` more, but never past the key's expiry; one that was
 * rotated out earlier ends at once.
 * @throws ApiError NOT_FOUND, PRECONDITION_FAILED; CONFLICT for a revoked or expired key; INSUFFICIENT_SCOPE for one with
 * scopes that who asks does not hold, since the answer is a secret of it
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
      requireHeldScopes(ports.scopes(), existing.scopes, target.held);
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

/**
 * Ends the key and its rotated-out secret for good; does nothing the second time.
 * @throws ApiError NOT_FOUND, PRECONDITION_FAILED
 */
export async function revokeApiKey(
  { documents, clock }: Pick<ChangeApiKeyPorts, 'documents' | 'clock'>,
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

/**
 * The scopes that a change gives to whoever has the key: those that it adds; all of them where the key then works longer,
 * again, or for other websites. A new name and a lock give nothing.
 */
function givenBy(existing: ApiKey, changes: z.output<ApiKeySchemas['changes']>): readonly Scope[] {
  const { scopes = existing.scopes, access, expiresAt, enabled } = changes;
  const reachesFurther = access !== undefined || expiresAt !== undefined || enabled === true;
  return reachesFurther ? scopes : scopes.filter((scope) => !existing.scopes.includes(scope));
}

function requireNotRevoked(key: ApiKey): void {
  if (key.revokedAt === null) return;
  throw new ApiError('CONFLICT', {
    text: `The API key "${key.id}" is revoked for good: create another one.`,
  });
}
