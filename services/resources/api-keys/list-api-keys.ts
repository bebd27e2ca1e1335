/** Reads the API keys of an organization with their last use, without secrets and hashes, for the CLI and the API alike. */
import type { ScopeCatalogue } from '../../shared/access/scope-catalogue.ts';
import type { ApiKey } from '../../shared/model/api-key.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { Page } from '../page-of.ts';
import { type SortedQuery, sortedPage } from '../sorted-page.ts';
import { type ApiKeyView, toApiKeyView } from './schema.ts';

export interface ApiKeyViewPorts {
  readonly documents: DocumentStore;
  /** The scopes in force. */
  scopes(): ScopeCatalogue;
}

/** The keys by identifier ascending: the oldest first. */
export async function listApiKeys(
  { documents, scopes }: ApiKeyViewPorts,
  organizationId: string,
): Promise<ApiKeyView[]> {
  const [keys, usage] = await Promise.all([
    documents.apiKeys.all(organizationId),
    documents.apiKeyUsage.all(organizationId),
  ]);
  const lastUsed = new Map(usage.map(({ id, lastUsedAt }) => [id, lastUsedAt]));
  return keys.map((key) => toApiKeyView(key, lastUsed.get(key.id) ?? null, scopes()));
}

/** One stored key with its last use. */
export async function viewApiKey({ documents, scopes }: ApiKeyViewPorts, key: ApiKey): Promise<ApiKeyView> {
  const usage = await documents.apiKeyUsage.get(key.organizationId, key.id);
  return toApiKeyView(key, usage?.lastUsedAt ?? null, scopes());
}

/** The requested page by last use, which lies apart from the keys: so all of them are read. Never used comes before every use. */
export async function keysByUse(
  ports: ApiKeyViewPorts,
  organizationId: string,
  query: SortedQuery,
): Promise<Page<ApiKeyView>> {
  return sortedPage(await listApiKeys(ports, organizationId), query, {
    searched: ({ name, start, last4 }) => [name, start, last4],
    columns: { lastUsedAt: ({ lastUsedAt }) => lastUsedAt ?? '' },
  });
}
