/** Creates an API key: judges what is asked, stores its hash, and shows its text this once. The same for the CLI and the API. */
import {
  createApiKeyText,
  describeApiKey,
  hashApiKey,
  type RandomBytes,
} from '../../shared/credentials/api-key-text.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { judgeApiKey } from './judge-api-key.ts';
import { type ApiKeyInput, type ApiKeyView, apiKeyInputSchema, toApiKeyView } from './schema.ts';

export interface CreateApiKeyPorts {
  readonly documents: DocumentStore;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
}

/** Whose key it becomes; the server knows this, the caller does not say it. */
export interface ApiKeyOwner {
  readonly organizationId: string;
  /** Identifier of the user, or `cli`. */
  readonly createdBy: string;
  readonly prefix: string;
}

export interface CreatedApiKey {
  readonly apiKey: ApiKeyView;
  /** The text of the key, shown this once. */
  readonly secret: string;
}

/** @throws ApiError VALIDATION_ERROR with every fault at once; SERVICE_UNAVAILABLE */
export async function createApiKey(
  ports: CreateApiKeyPorts,
  { organizationId, createdBy, prefix }: ApiKeyOwner,
  asked: ApiKeyInput,
): Promise<CreatedApiKey> {
  const { name, scopes, access, expiresAt } = await judgeApiKey(
    ports,
    apiKeyInputSchema,
    organizationId,
    asked,
  );
  const secret = createApiKeyText(prefix, ports.randomBytes);
  const stored = await ports.documents.apiKeys.insert({
    id: ports.ids.create('key'),
    organizationId,
    name,
    keyHash: hashApiKey(secret),
    ...describeApiKey(secret),
    scopes,
    access,
    enabled: true,
    expiresAt: expiresAt ?? null,
    revokedAt: null,
    createdBy,
    previousKeyHash: null,
    previousValidUntil: null,
  });
  return { apiKey: toApiKeyView(stored, null), secret };
}
