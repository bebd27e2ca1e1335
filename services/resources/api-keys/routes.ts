/** Manages API keys, for sessions of owners and admins only: a key cannot manage keys (contract.md sections 3 and 7). */
import { z } from 'zod';
import type { Caller } from '../../shared/access/caller.ts';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import { listPage } from '../list-page.ts';
import { type SortedQuery, sortedQuerySchema } from '../sorted-page.ts';
import { etagOf, ifMatchOf, notFound } from '../write-matching.ts';
import { type ChangeApiKeyPorts, changeApiKey, revokeApiKey, rotateApiKey } from './change-api-key.ts';
import { type CreateApiKeyPorts, storeApiKey } from './create-api-key.ts';
import { judgeApiKey } from './judge-api-key.ts';
import { keysByUse, viewApiKey } from './list-api-keys.ts';
import { requireHeldScopes } from './require-held-scopes.ts';
import {
  type ApiKeySchemas,
  type ApiKeyView,
  apiKeyViewSchema,
  apiKeyWithSecretSchema,
  DESCRIBED_SCHEMAS,
  rotationInputSchema,
} from './schema.ts';

/** What the API keys' routes need. */
export type ApiKeyPorts = CreateApiKeyPorts &
  ChangeApiKeyPorts & {
    /** Prefix of new keys. */
    readonly keyPrefix: string;
  };

/** What every route here shares. */
const COMMON = { rule: { roles: ['owner', 'admin'] }, needs: 'session', tags: ['api-keys'] } as const;
const MAX_BODY_BYTES = 1_048_576;
/** No cache may keep the secret. */
const NO_STORE = { 'Cache-Control': 'private, no-store' };

const EXAMPLE: ApiKeyView = {
  id: 'key_01k3w6v1q8z5m7r2c4x9t0b6ha',
  organizationId: 'org_01k3w6v1q8z5m7r2c4x9t0b6hb',
  name: 'Shop server',
  start: 'tg_7hXk2',
  last4: '0aQz',
  scopes: ['track:events'],
  access: { level: 'website', websiteIds: ['web_01k3w6v1q8z5m7r2c4x9t0b6hc'] },
  enabled: true,
  expiresAt: '2027-01-31T00:00:00.000Z',
  revokedAt: null,
  lastUsedAt: '2026-01-20T11:42:00.000Z',
  previousValidUntil: null,
  createdBy: 'usr_01k3w6v1q8z5m7r2c4x9t0b6hd',
  createdAt: '2026-01-15T09:30:00.000Z',
  updatedAt: '2026-01-15T09:30:00.000Z',
};
const ONE = {
  schema: z.object({ success: z.literal(true), data: apiKeyViewSchema }),
  example: { success: true, data: EXAMPLE },
};
const ONE_WITH_SECRET = {
  schema: z.object({ success: z.literal(true), data: apiKeyWithSecretSchema }),
  example: { success: true, data: { ...EXAMPLE, secret: 'tg_<shown once>' } },
  headers: { 'Cache-Control': '`private, no-store`: no cache may keep the secret.' },
};

const listRoute = defineRoute<ApiKeyPorts, undefined, SortedQuery>({
  ...COMMON,
  operationId: 'listApiKeys',
  method: 'GET',
  path: '/v1/api-keys',
  summary: 'List API keys',
  description:
    'The keys of the organization, revoked and expired ones too. `search` looks into names and ends. By `lastUsedAt` keys that were never used come first.',
  query: sortedQuerySchema(['createdAt', 'name', 'lastUsedAt']),
  success: {
    status: 200,
    schema: z.object({
      success: z.literal(true),
      data: z.array(apiKeyViewSchema),
      nextCursor: z.string().optional().describe('Present when more follow.'),
    }),
    example: { success: true, data: [EXAMPLE] },
  },
  errors: ['VALIDATION_ERROR'],
  async handler({ caller, query }, ports) {
    const organizationId = organizationOf(caller);
    if (/^-?lastUsedAt$/.test(query.sort ?? '')) {
      return { body: { success: true, ...(await keysByUse(ports, organizationId, query)) } };
    }
    const page = await listPage(ports.documents.apiKeys, organizationId, query, {
      searched: ['name', 'start', 'last4'],
      columns: { createdAt: 'createdAt', name: 'name' },
    });
    const data = await Promise.all(page.data.map((key) => viewApiKey(ports, key)));
    return { body: { success: true, ...page, data } };
  },
});

const createRoute = defineRoute<ApiKeyPorts, Parsed<'input'>>({
  ...COMMON,
  operationId: 'createApiKey',
  method: 'POST',
  path: '/v1/api-keys',
  summary: 'Create an API key',
  description:
    'Only this answer holds the text of the key, as `data.secret`; only its hash is stored. A session gives a key only scopes that it holds itself. CONFLICT at 10,000 keys.',
  body: {
    schema: DESCRIBED_SCHEMAS.input,
    maxBytes: MAX_BODY_BYTES,
    example: { name: 'Shop server', scopes: ['track:events'], access: EXAMPLE.access },
  },
  success: { status: 201, ...ONE_WITH_SECRET },
  errors: ['VALIDATION_ERROR', 'INSUFFICIENT_SCOPE', 'CONFLICT'],
  audit: 'api-key.create',
  parse: (asked, { caller }, ports) => parsed(ports, 'input', caller, asked),
  async handler({ caller, body: { data, fields } }, ports) {
    requireHeldScopes(ports.scopes(), data.scopes, caller.scopes);
    const owner = {
      organizationId: organizationOf(caller),
      createdBy: caller.userId ?? caller.id,
      prefix: ports.keyPrefix,
    };
    const { apiKey, secret } = await storeApiKey(ports, owner, data);
    return {
      body: { success: true, data: { ...apiKey, secret } },
      headers: { ...NO_STORE, Location: `/v1/api-keys/${apiKey.id}`, ETag: '"1"' },
      written: { targetId: apiKey.id, fields },
    };
  },
});

const getRoute = defineRoute<ApiKeyPorts>({
  ...COMMON,
  operationId: 'getApiKey',
  method: 'GET',
  path: '/v1/api-keys/:id',
  summary: 'Read an API key',
  description: 'One key. `ETag` names its version; using the key does not change it.',
  success: { status: 200, ...ONE },
  errors: ['NOT_FOUND'],
  async handler({ caller, params }, ports) {
    const id = params.id ?? '';
    const key = await ports.documents.apiKeys.get(organizationOf(caller), id);
    if (!key) throw notFound('API key', id);
    return {
      body: { success: true, data: await viewApiKey(ports, key) },
      headers: { ETag: etagOf(key) },
    };
  },
});

const changeRoute = defineRoute<ApiKeyPorts, Parsed<'changes'>>({
  ...COMMON,
  operationId: 'changeApiKey',
  method: 'PATCH',
  path: '/v1/api-keys/:id',
  summary: 'Change an API key',
  description:
    'Fields that are not named stay unchanged. `expiresAt: null` lifts the expiry, `enabled: false` disables the key until it is enabled again. A revoked key cannot be changed.',
  body: {
    schema: DESCRIBED_SCHEMAS.changes,
    maxBytes: MAX_BODY_BYTES,
    example: { scopes: ['track:events', 'read:data'], enabled: true },
  },
  success: { status: 200, ...ONE },
  errors: ['VALIDATION_ERROR', 'INSUFFICIENT_SCOPE', 'NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
  audit: 'api-key.change',
  parse: (asked, { caller }, ports) => parsed(ports, 'changes', caller, asked),
  async handler({ caller, body: { data, fields }, params, headers }, ports) {
    const key = await changeApiKey(ports, targetOf({ caller, params, headers }), data);
    return {
      body: { success: true, data: await viewApiKey(ports, key) },
      headers: { ETag: etagOf(key) },
      written: fields.length === 0 ? null : { targetId: key.id, fields },
    };
  },
});

const rotateRoute = defineRoute<ApiKeyPorts, z.infer<typeof rotationInputSchema>>({
  ...COMMON,
  operationId: 'rotateApiKey',
  method: 'POST',
  path: '/v1/api-keys/:id/rotate',
  summary: 'Rotate the secret of an API key',
  description:
    'Gives the key a new secret, shown only now, as `data.secret`. The old one works for `graceSeconds` more, but never past the expiry of the key; one that was rotated out earlier ends at once.',
  body: {
    schema: rotationInputSchema,
    whenAbsent: { graceSeconds: 0 },
    maxBytes: MAX_BODY_BYTES,
    example: { graceSeconds: 3600 },
  },
  success: { status: 200, ...ONE_WITH_SECRET },
  errors: ['VALIDATION_ERROR', 'INSUFFICIENT_SCOPE', 'NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
  audit: 'api-key.rotate',
  async handler({ caller, body, params, headers }, ports) {
    const { graceSeconds } = body;
    const rotation = { graceSeconds, prefix: ports.keyPrefix };
    const { apiKey, secret } = await rotateApiKey(ports, targetOf({ caller, params, headers }), rotation);
    return {
      body: { success: true, data: { ...(await viewApiKey(ports, apiKey)), secret } },
      headers: { ...NO_STORE, ETag: etagOf(apiKey) },
      written: { targetId: apiKey.id },
    };
  },
});

/** An empty body, which may be absent. */
const nothingSchema = z.strictObject({});

const revokeRoute = defineRoute<ApiKeyPorts, z.infer<typeof nothingSchema>>({
  ...COMMON,
  operationId: 'revokeApiKey',
  method: 'POST',
  path: '/v1/api-keys/:id/revoke',
  summary: 'Revoke an API key',
  description: 'Ends the key and its rotated-out secret for good. Revoking it again changes nothing.',
  body: { schema: nothingSchema, whenAbsent: {}, maxBytes: MAX_BODY_BYTES, example: {} },
  success: { status: 200, ...ONE },
  errors: ['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
  audit: 'api-key.revoke',
  async handler({ caller, params, headers }, ports) {
    const { apiKey, changed } = await revokeApiKey(ports, targetOf({ caller, params, headers }));
    return {
      body: { success: true, data: await viewApiKey(ports, apiKey) },
      headers: { ETag: etagOf(apiKey) },
      written: changed ? { targetId: apiKey.id } : null,
    };
  },
});

/** The request of a body, and the names of its fields. */
interface Parsed<Kind extends keyof ApiKeySchemas> {
  readonly data: z.output<ApiKeySchemas[Kind]>;
  readonly fields: readonly string[];
}

/** @throws ApiError VALIDATION_ERROR with every fault at once */
async function parsed<Kind extends keyof ApiKeySchemas>(
  ports: ApiKeyPorts,
  kind: Kind,
  caller: Caller,
  asked: unknown,
): Promise<Parsed<Kind>> {
  const data = await judgeApiKey(ports, kind, organizationOf(caller), asked);
  return { data, fields: Object.keys(Object(asked)) };
}

type Input = Parameters<typeof getRoute.handler>[0];

function targetOf({ caller, params, headers }: Pick<Input, 'caller' | 'params' | 'headers'>) {
  return {
    organizationId: organizationOf(caller),
    id: params.id ?? '',
    ifMatch: ifMatchOf(headers),
    held: caller.scopes,
  };
}

export const apiKeyRoutes: readonly Route<ApiKeyPorts>[] = [
  listRoute,
  createRoute,
  getRoute,
  changeRoute,
  rotateRoute,
  revokeRoute,
];
