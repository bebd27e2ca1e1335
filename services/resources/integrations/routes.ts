/**
 * Integrations, which hold only configuration, on the wire: nothing is ever sent (contract.md section 7,
 * docs/integrations.md).
 */
import { z } from 'zod';
import { requireGlobalAccess } from '../../shared/access/global-access.ts';
import type { SecretSealer } from '../../shared/credentials/secret-sealer.ts';
import type { Integration } from '../../shared/model/integration.ts';
import { defineResource, type ResourceTarget } from '../define-resource.ts';
import { notFound } from '../write-matching.ts';
import { shownConfig } from './integration-config.ts';
import { type IntegrationView, integrationSchemas, integrationViewSchema } from './schema.ts';
import { unreadableSecrets } from './sealed-secrets.ts';
import {
  changeIntegration,
  createIntegration,
  type IntegrationTarget,
  parseIntegration,
  parseIntegrationChanges,
  removeIntegration,
  type WriteIntegrationPorts,
} from './write-integration.ts';

/** What the integrations' routes need. */
export interface IntegrationPorts extends WriteIntegrationPorts {
  /** Whether http URLs of this machine are allowed: in development only. */
  readonly allowsLocalHttp: boolean;
}

const SCHEMAS = { https: integrationSchemas(false), development: integrationSchemas(true) };
const schemasOf = ({ allowsLocalHttp }: IntegrationPorts) =>
  allowsLocalHttp ? SCHEMAS.development : SCHEMAS.https;
const { input, changes } = SCHEMAS.development;

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

const MANAGING = { scopes: ['manage:config'] } as const;

/** @throws ApiError ACCESS_DENIED without global access */
function targetOf({ caller, id, ifMatch }: ResourceTarget): IntegrationTarget {
  return { organizationId: requireGlobalAccess(caller), id, ifMatch };
}

export const integrationRoutes = defineResource({
  collection: 'integrations',
  path: '/v1/integrations',
  tag: 'integrations',
  one: 'an integration',
  many: 'integrations',
  operation: 'Integration',
  audit: 'integration',
  removal: 'remove',
  rules: { read: MANAGING, write: MANAGING },
  maxBytes: 262_144,
  view: {
    schema: integrationViewSchema,
    example: EXAMPLE,
    of: (integration, { sealer }: IntegrationPorts) => toIntegrationView(integration, sealer),
  },
  list: {
    description: 'The integrations of the organization. `search` looks into names. Needs global access.',
    sortBy: ['createdAt', 'name', 'type'],
    searched: ['name'],
    select: ({ caller }) => ({ organizationId: requireGlobalAccess(caller) }),
  },
  create: {
    description:
      'Configuration of something outside, by its type. Secrets are encrypted and never shown again. The service sends nothing. Needs global access. CONFLICT at 1,000 integrations.',
    schema: input,
    example: {
      type: 'webhook',
      name: EXAMPLE.name,
      config: { url: EXAMPLE.config.url, secret: 'a secret of yours', events: ['purchase'] },
    },
    parse: (asked, caller, ports) =>
      parseIntegration(ports.documents, schemasOf(ports), requireGlobalAccess(caller), asked),
    write(asked, caller, ports) {
      const createdBy = caller.userId ?? caller.id;
      return createIntegration(ports, { organizationId: requireGlobalAccess(caller), createdBy }, asked);
    },
  },
  read: {
    description: 'One integration, its secrets masked. `ETag` names its version. Needs global access.',
    async get({ caller, id }, { documents }) {
      const integration = await documents.integrations.get(requireGlobalAccess(caller), id);
      if (!integration) throw notFound('integration', id);
      return integration;
    },
  },
  change: {
    description:
      'Fields that are not named stay unchanged, also within `config` and within the settings and secrets of a generic one; null removes what is optional. A secret that is sent back masked, as it was read, stays unchanged. The type cannot change. Needs global access.',
    schema: z.union([changes.webhook, changes.slack, changes.email_report, changes.generic]),
    example: { enabled: false, config: { events: null } },
    parse: (asked, { caller }, ports) =>
      parseIntegrationChanges(ports.documents, schemasOf(ports), requireGlobalAccess(caller), asked),
    write: (changesBy, target, ports) => changeIntegration(ports, targetOf(target), changesBy),
  },
  remove: {
    description: 'Removes it with its secrets. Needs global access.',
    errors: ['ACCESS_DENIED', 'NOT_FOUND', 'PRECONDITION_FAILED'],
    write: (target, ports) => removeIntegration(ports, targetOf(target)),
  },
  fieldsOf,
});

/** The field names of a body, those of the configuration with the prefix `config.`. */
function fieldsOf({ config, ...rest }: { readonly config?: object | undefined }): string[] {
  return [...Object.keys(rest), ...Object.keys(config ?? {}).map((field) => `config.${field}`)];
}

function toIntegrationView(integration: Integration, sealer: SecretSealer): IntegrationView {
  const { id, type, name, enabled, createdBy, createdAt, updatedAt } = integration;
  return {
    ...{ id, type, name, enabled },
    config: shownConfig(integration),
    unreadableSecrets: unreadableSecrets(integration, sealer),
    ...{ createdBy, createdAt, updatedAt },
  };
}
