/** What an operator may do with the stores: one interface for a running server's socket and for the stores themselves. */
import { z } from 'zod';
import {
  type CreateApiKeyPorts,
  type CreatedApiKey,
  createApiKey,
} from '../services/resources/api-keys/create-api-key.ts';
import { listApiKeys } from '../services/resources/api-keys/list-api-keys.ts';
import {
  type ApiKeyInput,
  type ApiKeyView,
  apiKeyViewSchema,
} from '../services/resources/api-keys/schema.ts';
import { nearestName } from '../services/shared/errors/nearest-name.ts';
import { validationError } from '../services/shared/errors/zod-details.ts';

/** What the operator asks of a new key; what it may hold is judged where it is created. */
export const newApiKeySchema = z.strictObject({
  organizationId: z.string(),
  name: z.unknown(),
  scopes: z.array(z.unknown()),
  access: z.unknown(),
  expiresAt: z.string().optional(),
});
export type NewApiKey = ApiKeyInput & { readonly organizationId: string };

/** Answers of the administration socket. */
export const createdApiKeySchema = z.object({ apiKey: apiKeyViewSchema, secret: z.string() });

export interface Administration {
  /** A new key with its text, shown this once. @throws ApiError VALIDATION_ERROR with every fault at once */
  createApiKey(asked: NewApiKey): Promise<CreatedApiKey>;
  /** The keys of an organization or, without one, of all. @throws ApiError VALIDATION_ERROR for an unknown organization */
  listApiKeys(organizationId?: string): Promise<ApiKeyView[]>;
}

/** Who creates keys by the command line, as `createdBy` names it. */
const CREATED_BY = 'cli';

/** The operations over the stores of this process. `keyPrefix` stands before new keys. */
export function createAdministration(ports: CreateApiKeyPorts, keyPrefix: string): Administration {
  const { documents } = ports;

  async function organizationIds(wanted?: string): Promise<string[]> {
    const ids = (await documents.allOrganizations()).map((organization) => organization.id);
    if (wanted === undefined) return ids;
    if (ids.includes(wanted)) return [wanted];
    const fault = { field: 'organization', message: `There is no organization "${wanted}".` };
    const suggestion = nearestName(wanted, ids);
    throw validationError([suggestion === undefined ? fault : { ...fault, suggestion }]);
  }

  return {
    async createApiKey(asked) {
      const { organizationId, ...input } = asked;
      await organizationIds(organizationId);
      return createApiKey(ports, { organizationId, createdBy: CREATED_BY, prefix: keyPrefix }, input);
    },
    async listApiKeys(organizationId) {
      const ids = await organizationIds(organizationId);
      return (await Promise.all(ids.map((id) => listApiKeys(documents, id)))).flat();
    },
  };
}
