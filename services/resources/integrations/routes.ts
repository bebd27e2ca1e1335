/** Manages integrations, which hold configuration only: nothing is ever sent (contract.md section 7, docs/integrations.md). */
import { z } from 'zod';
import { requireGlobalAccess } from '../../shared/access/global-access.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import { listPage } from '../list-page.ts';
import { type SortedQuery, sortedQuerySchema } from '../sorted-page.ts';
import { etagOf, ifMatchOf, notFound } from '../write-matching.ts';
import { toIntegrationView } from './integration-view.ts';
import { type IntegrationView, integrationSchemas, integrationViewSchema } from './schema.ts';
import {
  changeIntegration,
  createIntegration,
  removeIntegration,
  type WriteIntegrationPorts,
} from './write-integration.ts';

/** What the integrations' routes need. */
export interface IntegrationPorts extends WriteIntegrationPorts {
  /** Whether URLs may be http ones of this machine: in development only. */
  readonly allowsLocalHttp: boolean;
}

const SCHEMAS = { https: integrationSchemas(false), development: integrationSchemas(true) };
const schemasOf = ({ allowsLocalHttp }: IntegrationPorts) =>
  allowsLocalHttp ? SCHEMAS.development : SCHEMAS.https;
const { input, changes } = SCHEMAS.development;

const COMMON = { rule: { scopes: ['manage:config'] }, tags: ['integrations'] } as const;
const MAX_BODY_BYTES = 262_144;

const EXAMPLE: IntegrationView = {
  id: 'int_01k3w6v1q8z5m7r2c4x9t0b6ha',
  type: 'webhook',
  name: 'Order system',
  enabled: true,
  config: { url: 'https://hooks.example.com/tidegate', secret: '•••• 9f3c', events: ['purchase'] },
  unreadableSecrets: [],
  createdBy: 'usr_01k3w6v1q8z5m7r2c4x9t0b6hd',
  createdAt: '2026-01-15T09:30:00.000Z',
  updatedAt: '2026-01-15T09:30:00.000Z',
};
const ONE = {
  schema: z.object({ success: z.literal(true), data: integrationViewSchema }),
  example: { success: true, data: EXAMPLE },
};

const listRoute = defineRoute<IntegrationPorts, undefined, SortedQuery>({
  ...COMMON,
  operationId: 'listIntegrations',
  method: 'GET',
  path: '/v1/integrations',
  summary: 'List integrations',
  description: 'The integrations of the organization. `search` looks into names. Needs global access.',
  query: sortedQuerySchema(['createdAt', 'name', 'type']),
  success: {
    status: 200,
    schema: z.object({
      success: z.literal(true),
      data: z.array(integrationViewSchema),
      nextCursor: z.string().optional().describe('Present when more follow.'),
    }),
    example: { success: true, data: [EXAMPLE] },
  },
  errors: ['ACCESS_DENIED', 'VALIDATION_ERROR'],
  async handler({ caller, query }, { documents, sealer }) {
    const page = await listPage(documents.integrations, requireGlobalAccess(caller), query, {
      columns: { createdAt: 'createdAt', name: 'name', type: 'type' },
      searched: ({ name }) => [name],
    });
    const data = page.data.map((integration) => toIntegrationView(integration, sealer));
    return { body: { success: true, ...page, data } };
  },
});

const createRoute = defineRoute<IntegrationPorts, z.output<typeof input>>({
  ...COMMON,
  operationId: 'createIntegration',
  method: 'POST',
  path: '/v1/integrations',
  summary: 'Create an integration',
  description:
    'Configuration of something outside, by its type. Secrets are encrypted and never shown again. The service sends nothing. Needs global access.',
  body: {
    schema: input,
    judgedBy: 'handler',
    maxBytes: MAX_BODY_BYTES,
    example: {
      type: 'webhook',
      name: EXAMPLE.name,
      config: { url: EXAMPLE.config.url, secret: 'a secret of yours', events: ['purchase'] },
    },
  },
  success: { status: 201, ...ONE },
  errors: ['ACCESS_DENIED', 'VALIDATION_ERROR'],
  audit: 'integration.create',
  async handler({ caller, body }, ports) {
    const owner = {
      organizationId: requireGlobalAccess(caller),
      createdBy: caller.userId ?? caller.id,
    };
    const created = await createIntegration(ports, schemasOf(ports), owner, body);
    return {
      body: { success: true, data: toIntegrationView(created, ports.sealer) },
      headers: { Location: `/v1/integrations/${created.id}`, ETag: etagOf(created) },
      written: { targetId: created.id, fields: fieldsOf(body) },
    };
  },
});

const getRoute = defineRoute<IntegrationPorts>({
  ...COMMON,
  operationId: 'getIntegration',
  method: 'GET',
  path: '/v1/integrations/:id',
  summary: 'Read an integration',
  description: 'One integration, its secrets masked. `ETag` names its version. Needs global access.',
  success: { status: 200, ...ONE },
  errors: ['ACCESS_DENIED', 'NOT_FOUND'],
  async handler({ caller, params }, { documents, sealer }) {
    const id = params.id ?? '';
    const integration = await documents.integrations.get(requireGlobalAccess(caller), id);
    if (!integration) throw notFound('integration', id);
    return {
      body: { success: true, data: toIntegrationView(integration, sealer) },
      headers: { ETag: etagOf(integration) },
    };
  },
});

const changesSchema = z.union([changes.webhook, changes.slack, changes.email_report, changes.generic]);

const changeRoute = defineRoute<IntegrationPorts, z.output<typeof changesSchema>>({
  ...COMMON,
  operationId: 'changeIntegration',
  method: 'PATCH',
  path: '/v1/integrations/:id',
  summary: 'Change an integration',
  description:
    'What is not named stays, within `config` and within the settings and secrets of a generic one too; null removes what is optional. A secret that comes back masked as it was read stays. The type cannot change. Needs global access.',
  body: {
    schema: changesSchema,
    judgedBy: 'handler',
    maxBytes: MAX_BODY_BYTES,
    example: { enabled: false, config: { events: null } },
  },
  success: { status: 200, ...ONE },
  errors: ['ACCESS_DENIED', 'VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
  audit: 'integration.change',
  async handler({ caller, body, params, headers }, ports) {
    const target = targetOf({ caller, params, headers });
    const { document, changed } = await changeIntegration(ports, schemasOf(ports), target, body);
    return {
      body: { success: true, data: toIntegrationView(document, ports.sealer) },
      headers: { ETag: etagOf(document) },
      written: changed ? { targetId: document.id, fields: fieldsOf(body) } : null,
    };
  },
});

const removeRoute = defineRoute<IntegrationPorts>({
  ...COMMON,
  operationId: 'removeIntegration',
  method: 'DELETE',
  path: '/v1/integrations/:id',
  summary: 'Remove an integration',
  description: 'Removes it with its secrets. Needs global access.',
  success: { status: 204, schema: z.undefined(), example: undefined },
  errors: ['ACCESS_DENIED', 'NOT_FOUND', 'PRECONDITION_FAILED'],
  audit: 'integration.delete',
  async handler({ caller, params, headers }, ports) {
    const target = targetOf({ caller, params, headers });
    await removeIntegration(ports, target);
    return { written: { targetId: target.id } };
  },
});

type Input = Parameters<typeof getRoute.handler>[0];

function targetOf({ caller, params, headers }: Pick<Input, 'caller' | 'params' | 'headers'>) {
  return { organizationId: requireGlobalAccess(caller), id: params.id ?? '', ifMatch: ifMatchOf(headers) };
}

/** What a body names, those of the configuration with `config.` before them. */
function fieldsOf({ config, ...rest }: { readonly config?: object | undefined }): string[] {
  return [...Object.keys(rest), ...Object.keys(config ?? {}).map((field) => `config.${field}`)];
}

export const integrationRoutes: readonly Route<IntegrationPorts>[] = [
  listRoute,
  createRoute,
  getRoute,
  changeRoute,
  removeRoute,
];
