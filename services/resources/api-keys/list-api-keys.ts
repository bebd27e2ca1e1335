/** Reads the API keys of an organization with their last use, secrets and hashes left out. The same for the CLI and the API. */
import type { ApiKey } from '../../shared/model/api-key.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { type ApiKeyView, toApiKeyView } from './schema.ts';

/** The keys by identifier ascending: the oldest first. */
export async function listApiKeys(documents: DocumentStore, organizationId: string): Promise<ApiKeyView[]> {
  const [keys, usage] = await Promise.all([
    documents.apiKeys.all(organizationId),
    documents.apiKeyUsage.all(organizationId),
  ]);
  const lastUsed = new Map(usage.map(({ id, lastUsedAt }) => [id, lastUsedAt]));
  return keys.map((key) => toApiKeyView(key, lastUsed.get(key.id) ?? null));
}

/** One stored key with its last use. */
export async function viewApiKey(documents: DocumentStore, key: ApiKey): Promise<ApiKeyView> {
  const usage = await documents.apiKeyUsage.get(key.organizationId, key.id);
  return toApiKeyView(key, usage?.lastUsedAt ?? null);
}
