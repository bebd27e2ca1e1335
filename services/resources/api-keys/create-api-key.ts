/**
 * Creates an API key: validates the request, stores the key's hash, and shows its text only once. Used by the CLI and the
 * API.
 */
import type { z } from 'zod';
import {
  createApiKeyText,
  describeApiKey,
  hashApiKey,
  type RandomBytes,
} from '../../shared/credentials/api-key-text.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { FIXED_BOUNDS, insertBounded } from '../document-bounds.ts';
import { type JudgePorts, judgeApiKey } from './judge-api-key.ts';
import { type ApiKeyInput, type ApiKeySchemas, type ApiKeyView, toApiKeyView } from './schema.ts';

export interface CreateApiKeyPorts extends JudgePorts {
  readonly ids: Ids;
  readonly randomBytes: RandomBytes;
}

/** Whose key it becomes; the server knows this, not the caller. */
export interface ApiKeyOwner {
  readonly organizationId: string;
  /** Identifier of the user, or `cli`. */
  readonly createdBy: string;
  readonly prefix: string;
}

export interface CreatedApiKey {
  readonly apiKey: ApiKeyView;
  /** The text of the key, shown only now. */
  readonly secret: string;
}

/** @throws ApiError VALIDATION_ERROR with every fault at once; CONFLICT at the bound; SERVICE_UNAVAILABLE */
export async function createApiKey(
  ports: CreateApiKeyPorts,
  owner: ApiKeyOwner,
  asked: ApiKeyInput,
): Promise<CreatedApiKey> {
  const parsed = await judgeApiKey(ports, 'input', owner.organizationId, asked);
  return storeApiKey(ports, owner, parsed);
}

/** The same for a validated request. @throws ApiError CONFLICT at the bound; SERVICE_UNAVAILABLE */
export async function storeApiKey(
  ports: CreateApiKeyPorts,
  { organizationId, createdBy, prefix }: ApiKeyOwner,
  { name, scopes, access, expiresAt }: z.output<ApiKeySchemas['input']>,
): Promise<CreatedApiKey> {
  const secret = createApiKeyText(prefix, ports.randomBytes);
  const apiKey = {
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
  };
  const bound = { kind: 'API keys', most: FIXED_BOUNDS['API keys'] };
  const stored = await insertBounded(ports.documents.apiKeys, apiKey, bound);
  return { apiKey: toApiKeyView(stored, null, ports.scopes()), secret };
}
