/** Lists the API keys of an organization, their secrets and hashes left out. The same for the CLI and the API. */
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { type ApiKeyView, toApiKeyView } from './schema.ts';

/** The keys by identifier ascending: the oldest first. */
export async function listApiKeys(documents: DocumentStore, organizationId: string): Promise<ApiKeyView[]> {
  return (await documents.apiKeys.all(organizationId)).map(toApiKeyView);
}
