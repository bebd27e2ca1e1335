/** Creates, changes and removes integrations: their secrets are sealed before anything is stored. */

import type { SecretSealer } from '../../shared/credentials/secret-sealer.ts';
import type { ErrorDetail } from '../../shared/errors/api-error.ts';
import { validationError } from '../../shared/errors/zod-details.ts';
import type { Integration } from '../../shared/model/integration.ts';
import type { Changes, DocumentStore } from '../../shared/ports/document-store.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { judgeBody } from '../judge-body.ts';
import { notFound, requireMatch, writeMatching } from '../write-matching.ts';
import { type ConfigChanges, configChanges, maskOf, mergedConfig } from './integration-config.ts';
import { atMost, type IntegrationSchemas, isMask, OWN_NAME, TOO_MANY } from './schema.ts';
import { resealed } from './sealed-secrets.ts';

export interface WriteIntegrationPorts {
  readonly documents: DocumentStore;
  readonly ids: Ids;
  readonly sealer: SecretSealer;
}

/** Which integration, and which version of it when the caller says so. */
export interface IntegrationTarget {
  readonly organizationId: string;
  readonly id: string;
  readonly ifMatch?: string | undefined;
}

const KIND = 'integration';
const FIELDS = ['type', 'name', 'enabled', 'config'];
const READ_ONLY = ['id', 'unreadableSecrets', 'createdBy', 'createdAt', 'updatedAt'];

/** @throws ApiError VALIDATION_ERROR with every fault at once */
export async function createIntegration(
  { documents, ids, sealer }: WriteIntegrationPorts,
  schemas: IntegrationSchemas,
  { organizationId, createdBy }: { readonly organizationId: string; readonly createdBy: string },
  asked: unknown,
): Promise<Integration> {
  const faults = [...nameFaults(asked), ...(await websiteFaults(documents, organizationId, asked))];
  const { type, name, enabled, config } = judgeBody(schemas.input, asked, {
    fields: FIELDS,
    readOnly: READ_ONLY,
    faults,
  });
  const id = ids.create('int');
  const { open, secrets } = configChanges(type, config, []);
  return documents.integrations.insert({
    ...{ id, organizationId, type, name, enabled, createdBy },
    config: mergedConfig(type, {}, open),
    secrets: sealedSecrets(sealer, { id, organizationId, secrets: {} }, secrets),
  });
}

/**
 * The integration with what `asked` names changed, and whether anything did. Secrets of an older key are sealed anew.
 * @throws ApiError VALIDATION_ERROR with every fault at once, NOT_FOUND, PRECONDITION_FAILED, CONFLICT
 */
export async function changeIntegration(
  { documents, sealer }: Omit<WriteIntegrationPorts, 'ids'>,
  schemas: IntegrationSchemas,
  target: IntegrationTarget,
  asked: unknown,
): Promise<{ readonly document: Integration; readonly changed: boolean }> {
  const faults = [...nameFaults(asked), ...(await websiteFaults(documents, target.organizationId, asked))];
  return writeMatching(documents.integrations, {
    ...target,
    kind: KIND,
    changesOf(existing: Integration): Changes<Integration> | null {
      const options = { fields: FIELDS, readOnly: READ_ONLY, faults };
      const { name, enabled, config } = judgeBody(schemas.changes[existing.type], asked, options);
      const asks = configChanges(existing.type, config ?? {}, Object.keys(existing.secrets));
      const secrets = withoutMasks(existing, asks.secrets);
      const hasConfig = asks.open.size + secrets.size > 0;
      if (name === undefined && enabled === undefined && !hasConfig) return null;
      const changed = {
        config: mergedConfig(existing.type, existing.config, asks.open),
        secrets: sealedSecrets(sealer, { ...existing, secrets: resealed(existing, sealer).secrets }, secrets),
      };
      requireRoom(existing, changed);
      return {
        ...(name === undefined ? {} : { name }),
        ...(enabled === undefined ? {} : { enabled }),
        ...changed,
      };
    },
  });
}

/** @throws ApiError NOT_FOUND, PRECONDITION_FAILED */
export async function removeIntegration(
  { documents }: Pick<WriteIntegrationPorts, 'documents'>,
  { organizationId, id, ifMatch }: IntegrationTarget,
): Promise<void> {
  const existing = await documents.integrations.get(organizationId, id);
  if (existing) requireMatch(ifMatch, existing);
  if (!(await documents.integrations.remove(organizationId, id))) throw notFound(KIND, id);
}

/** The secrets to set: a masked text that came back as it was read sets nothing. @throws ApiError VALIDATION_ERROR for another one */
function withoutMasks({ secrets }: Integration, asked: ConfigChanges['secrets']): ConfigChanges['secrets'] {
  const faults: ErrorDetail[] = [];
  const set = new Map<string, string | null>();
  for (const [field, text] of asked) {
    const held = Object.hasOwn(secrets, field) ? secrets[field] : undefined;
    if (text === null || !isMask(text)) set.set(field, text);
    else if (held === undefined || maskOf(held) !== text) {
      const message = 'This masks another secret. Allowed: a new secret, or the masked text as it was read.';
      faults.push({ field: `config.${field}`, message });
    }
  }
  if (faults.length > 0) throw validationError(faults);
  return set;
}

/** The secrets of a document with those of `asked` set, or removed by null. */
function sealedSecrets(
  sealer: SecretSealer,
  { id, organizationId, secrets }: Pick<Integration, 'id' | 'organizationId' | 'secrets'>,
  asked: ConfigChanges['secrets'],
): Integration['secrets'] {
  const merged = new Map(Object.entries(secrets));
  for (const [field, text] of asked) {
    if (text === null) merged.delete(field);
    else merged.set(field, sealer.seal({ organizationId, integrationId: id, field }, text));
  }
  return Object.fromEntries(merged);
}

type Holding = Pick<Integration, 'config' | 'secrets'>;

/** Changes by name add up: what they make of a configuration holds no more names than a new one may. @throws ApiError VALIDATION_ERROR */
function requireRoom(before: Holding, after: Holding): void {
  const settingsOf = ({ config }: Holding) => Object(config.settings ?? {});
  const faults = [
    ...roomFaults('config.settings', settingsOf(before), settingsOf(after)),
    ...roomFaults('config.secrets', before.secrets, after.secrets),
  ];
  if (faults.length > 0) throw validationError(faults);
}

/** One that holds more already may lose some. */
function roomFaults(field: string, before: object, after: object): ErrorDetail[] {
  const [had, has] = [Object.keys(before).length, Object.keys(after).length];
  return has <= had || atMost({ ...after }) ? [] : [{ field, message: `Came to ${has}. ${TOO_MANY}` }];
}

/** A name that a record schema drops unseen; a secret under it would be lost without a word. */
function nameFaults(asked: unknown): ErrorDetail[] {
  const config = fieldOf(asked, 'config');
  return ['settings', 'secrets'].flatMap((field) => {
    const isNamed = fieldOf(fieldOf(config, field), '__proto__') !== undefined;
    return isNamed ? [{ field: `config.${field}.__proto__`, message: OWN_NAME }] : [];
  });
}

/** Websites in `config.websiteIds` that the organization does not have. */
async function websiteFaults(
  documents: DocumentStore,
  organizationId: string,
  asked: unknown,
): Promise<ErrorDetail[]> {
  const named = websiteIdsOf(asked);
  if (named.length === 0) return [];
  const held = new Set((await documents.websites.all(organizationId)).map(({ id }) => id));
  return named.flatMap((id, i) => {
    if (typeof id !== 'string' || held.has(id)) return [];
    return [{ field: `config.websiteIds[${i}]`, message: 'The organization has no such website.' }];
  });
}

/** Most websites that are looked for: a longer list is a fault in itself. */
const MOST_WEBSITES = 100;

function websiteIdsOf(asked: unknown): readonly unknown[] {
  const config = fieldOf(asked, 'config');
  const ids = fieldOf(config, 'websiteIds');
  return Array.isArray(ids) && ids.length <= MOST_WEBSITES ? ids : [];
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
