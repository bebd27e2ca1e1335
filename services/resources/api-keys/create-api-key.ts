/** Creates an API key: judges what is asked, stores its hash, and shows its text this once. The same for the CLI and the API. */
import { z } from 'zod';
import { SCOPES } from '../../shared/access/scopes.ts';
import {
  createApiKeyText,
  describeApiKey,
  hashApiKey,
  type RandomBytes,
} from '../../shared/credentials/api-key-text.ts';
import type { ErrorDetail } from '../../shared/errors/api-error.ts';
import { nearestName } from '../../shared/errors/nearest-name.ts';
import { validationError, zodDetails } from '../../shared/errors/zod-details.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import {
  type ApiKeyView,
  accessInputSchema,
  apiKeyNameSchema,
  instantInputSchema,
  scopesInputSchema,
  toApiKeyView,
} from './schema.ts';

export interface CreateApiKeyPorts {
  readonly documents: DocumentStore;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
}

/** What a caller asks of a new key. */
export const apiKeyInputSchema = z.strictObject({
  name: apiKeyNameSchema,
  scopes: scopesInputSchema,
  access: accessInputSchema,
  expiresAt: instantInputSchema.optional(),
});
export type ApiKeyInput = z.input<typeof apiKeyInputSchema>;

/** What each field may hold, for its faults. */
const DESCRIPTIONS: Readonly<Record<string, string | undefined>> = {
  name: apiKeyNameSchema.description,
  scopes: scopesInputSchema.description,
  access: accessInputSchema.description,
  expiresAt: instantInputSchema.description,
};

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
  { organizationId, createdBy, prefix, ...asked }: ApiKeyInput & ApiKeyOwner,
): Promise<CreatedApiKey> {
  const { documents, ids, randomBytes } = ports;
  const parsed = apiKeyInputSchema.safeParse(asked);
  const faults = [
    ...(parsed.success ? [] : inOurWords(asked, zodDetails(parsed.error.issues))),
    ...ruleFaults(asked, ports.clock),
    ...(await websiteFaults(documents, organizationId, asked)),
  ];
  if (!parsed.success || faults.length > 0) throw validationError(faults);

  const { name, scopes, access, expiresAt = null } = parsed.data;
  const secret = createApiKeyText(prefix, randomBytes);
  const stored = await documents.apiKeys.insert({
    id: ids.create('key'),
    organizationId,
    name,
    keyHash: hashApiKey(secret),
    ...describeApiKey(secret),
    scopes,
    access,
    enabled: true,
    expiresAt,
    revokedAt: null,
    createdBy,
    previousKeyHash: null,
    previousValidUntil: null,
  });
  return { apiKey: toApiKeyView(stored), secret };
}

/** The faults in the words of the schema's descriptions; unknown scopes get the nearest one. */
function inOurWords(asked: ApiKeyInput, details: readonly ErrorDetail[]): ErrorDetail[] {
  return details.map((detail) => {
    const index = /^scopes\[(\d+)\]$/.exec(detail.field)?.[1];
    const came: unknown = index === undefined ? undefined : asked.scopes[Number(index)];
    if (typeof came === 'string') {
      const message = `Unknown scope "${came}". Allowed: ${SCOPES.join(', ')}.`;
      return withSuggestion({ ...detail, message }, nearestName(came, SCOPES));
    }
    const description = DESCRIPTIONS[/^\w+/.exec(detail.field)?.[0] ?? ''];
    return description === undefined ? detail : { ...detail, message: `Allowed: ${description}.` };
  });
}

function withSuggestion(detail: ErrorDetail, suggestion: string | undefined): ErrorDetail {
  return suggestion === undefined ? detail : { ...detail, suggestion };
}

function ruleFaults(asked: ApiKeyInput, clock: Clock): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  if (Array.isArray(asked.scopes) && new Set(asked.scopes).size < asked.scopes.length) {
    faults.push({ field: 'scopes', message: 'Name each scope once.' });
  }
  if (asked.expiresAt !== undefined && Date.parse(asked.expiresAt) <= clock.now()) {
    faults.push({
      field: 'expiresAt',
      message: `${asked.expiresAt} has passed. Allowed: an instant to come.`,
    });
  }
  return faults;
}

async function websiteFaults(
  documents: DocumentStore,
  organizationId: string,
  { access }: ApiKeyInput,
): Promise<ErrorDetail[]> {
  const parsed = accessInputSchema.safeParse(access);
  if (!parsed.success || parsed.data.level === 'global') return [];
  const known = (await documents.websites.all(organizationId)).map((website) => website.id);
  return parsed.data.websiteIds.flatMap((id, i): ErrorDetail[] => {
    if (known.includes(id)) return [];
    const fault = { field: `access.websiteIds[${i}]`, message: `The organization has no website "${id}".` };
    return [withSuggestion(fault, nearestName(id, known))];
  });
}
