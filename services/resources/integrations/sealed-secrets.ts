/** What happens to sealed secrets when keys change: they are sealed with the first key, or can no longer be read. */
import type { SecretPlace, SecretSealer } from '../../shared/credentials/secret-sealer.ts';
import type { Integration } from '../../shared/model/integration.ts';

type Sealed = Pick<Integration, 'id' | 'organizationId' | 'secrets'>;

export interface Resealed {
  readonly secrets: Integration['secrets'];
  /** Secrets that were sealed with an older key, sealed again in `secrets`. */
  readonly fields: readonly string[];
  /** Secrets that no key opens; they stay as they are. */
  readonly unreadable: readonly string[];
}

/** The secrets of an integration under the current sealing key. */
export function resealed(integration: Sealed, sealer: SecretSealer): Resealed {
  const secrets: Integration['secrets'] = {};
  const fields: string[] = [];
  const unreadable: string[] = [];
  for (const [field, secret] of Object.entries(integration.secrets)) {
    const place = placeOf(integration, field);
    const text = sealer.open(place, secret);
    secrets[field] = secret;
    if (text === null) unreadable.push(field);
    else if (secret.keyId !== sealer.keyId) {
      secrets[field] = sealer.seal(place, text);
      fields.push(field);
    }
  }
  return { secrets, fields, unreadable };
}

/** Names of the secrets that no key opens. */
export function unreadableSecrets(integration: Sealed, sealer: SecretSealer): string[] {
  const secrets = Object.entries(integration.secrets);
  return secrets.flatMap(([field, secret]) =>
    sealer.open(placeOf(integration, field), secret) === null ? [field] : [],
  );
}

function placeOf({ id, organizationId }: Sealed, field: string): SecretPlace {
  return { organizationId, integrationId: id, field };
}
