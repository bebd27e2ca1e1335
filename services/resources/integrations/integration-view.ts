/** How a stored integration looks on the wire: its secrets masked, those that no key opens named. */
import type { SecretSealer } from '../../shared/credentials/secret-sealer.ts';
import type { Integration } from '../../shared/model/integration.ts';
import { shownConfig } from './integration-config.ts';
import type { IntegrationView } from './schema.ts';
import { unreadableSecrets } from './sealed-secrets.ts';

export function toIntegrationView(integration: Integration, sealer: SecretSealer): IntegrationView {
  const { id, type, name, enabled, createdBy, createdAt, updatedAt } = integration;
  return {
    ...{ id, type, name, enabled },
    config: shownConfig(integration),
    unreadableSecrets: unreadableSecrets(integration, sealer),
    ...{ createdBy, createdAt, updatedAt },
  };
}
