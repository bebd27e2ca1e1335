/** Creates, changes and removes integrations: their secrets are sealed before anything is stored. */

import { unknownWebsites } from '../../shared/access/website-access.ts';
import type { SecretSealer } from '../../shared/credentials/secret-sealer.ts';
import type { ErrorDetail } from '../../shared/errors/api-error.ts';
import { validationError } from '../../shared/errors/zod-details.ts';
import type { Integration } from '../../shared/model/integration.ts';
import type { Changes, DocumentStore } from '../../shared/ports/document-store.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { Changed } from '../define-resource.ts';
import { FIXED_BOUNDS, insertBounded } from '../document-bounds.ts';
import { judgeBody } from '../judge-fields.ts';
import { notFound, requireMatch, writeMatching } from '../write-matching.ts';
import { type ConfigChanges, configChanges, maskOf, mergedConfig } from './integration-config.ts';
import {
  atMost,
  type IntegrationChanges,
  type IntegrationInput,
  type IntegrationSchemas,
  type IntegrationType,
  isMask,
  OWN_NAME,
  TOO_MANY,
} from './schema.ts';
import { resealed } from './sealed-secrets.ts';

export interface WriteIntegrationPorts {
  readonly documents: DocumentStore;
  readonly ids: Ids;
  readonly sealer: SecretSealer;
}

/** Which integration, and which version of it if the caller states one. */
export interface IntegrationTarget {
  readonly organizationId: string;
  readonly id: string;
  readonly ifMatch?: string | undefined;
}

/** Parses the body for an integration of this type. @throws ApiError VALIDATION_ERROR with every fault at once */
export type ChangesByType = (type: IntegrationType) => IntegrationChanges;

/** Parses the body for a new integration. @throws ApiError VALIDATION_ERROR with every fault at once */
export async function parseIntegration(
  documents: DocumentStore,
  schemas: IntegrationSchemas,
  organizationId: string,
  asked: unknown,
): Promise<IntegrationInput> {
  const faults = [...nameFaults(asked), ...(await websiteFaults(documents, organizationId, asked))];
  return judgeBody(schemas.input, asked, { fields: FIELDS, readOnly: READ_ONLY, faults });
}

/** The changes in a body, before the type is known. */
export async function parseIntegrationChanges(
  documents: DocumentStore,
  schemas: IntegrationSchemas,
  organizationId: string,
  asked: unknown,
): Promise<ChangesByType> {
  const faults = [...nameFaults(asked), ...(await websiteFaults(documents, organizationId, asked))];
  return (type) => judgeBody(schemas.changes[type], asked, { fields: FIELDS, readOnly: READ_ONLY, faults });
}

const KIND = 'integration';
const FIELDS = ['type', 'name', 'enabled', 'config'];
const READ_ONLY = ['id', 'unreadableSecrets', 'createdBy', 'createdAt', 'updatedAt'];

/** @throws ApiError CONFLICT at the bound */
export async function createIntegration(
  { documents, ids, sealer }: WriteIntegrationPorts,
  { organizationId, createdBy }: { readonly organizationId: string; readonly createdBy: string },
  { type, name, enabled, config }: IntegrationInput,
): Promise<Integration> {
  const id = ids.create('int');
  const { open, secrets } = configChanges(type, config, []);
  const integration = {
    ...{ id, organizationId, type, name, enabled, createdBy },
    config: mergedConfig(type, {}, open),
    secrets: sealedSecrets(sealer, { id, organizationId, secrets: {} }, secrets),
  };
  const bound = { kind: 'integrations', most: FIXED_BOUNDS.integrations };
  return insertBounded(documents.integrations, integration, bound);
}

/**
 * The integration with the requested changes, and whether anything changed. Secrets under an older key are sealed again.
 * @throws ApiError VALIDATION_ERROR with every fault at once, NOT_FOUND, PRECONDITION_FAILED, CONFLICT
 */
export async function changeIntegration(
  { documents, sealer }: Omit<WriteIntegrationPorts, 'ids'>,
  target: IntegrationTarget,
  changesBy: ChangesByType,
): Promise<Changed<Integration>> {
  return writeMatching(documents.integrations, {
    ...target,
    kind: KIND,
    changesOf(existing: Integration): Changes<Integration> | null {
      const { name, enabled, config } = changesBy(existing.type);
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

/**
 * The secrets to set: a masked text sent back unchanged sets nothing.
 * @throws ApiError VALIDATION_ERROR for any other masked text
 */
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

/** The secrets of a document with those in `asked` set, or removed by null. */
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

/**
 * Changes by name accumulate: the resulting configuration has no more names than a new one may have.
 * @throws ApiError VALIDATION_ERROR
 */
function requireRoom(before: Holding, after: Holding): void {
  const settingsOf = ({ config }: Holding) => Object(config.settings ?? {});
  const faults = [
    ...roomFaults('config.settings', settingsOf(before), settingsOf(after)),
    ...roomFaults('config.secrets', before.secrets, after.secrets),
  ];
  if (faults.length > 0) throw validationError(faults);
}

/** One that already has more may lose some. */
function roomFaults(field: string, before: object, after: object): ErrorDetail[] {
  const [had, has] = [Object.keys(before).length, Object.keys(after).length];
  return has <= had || atMost({ ...after }) ? [] : [{ field, message: `Came to ${has}. ${TOO_MANY}` }];
}

/** A name that a record schema drops; a secret under it would be lost silently. */
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
  const ids = named.filter((id): id is string => typeof id === 'string');
  const unknown = await unknownWebsites(documents, organizationId, ids);
  return named.flatMap((id, i) => {
    if (typeof id !== 'string' || !unknown.has(id)) return [];
    return [{ field: `config.websiteIds[${i}]`, message: 'The organization has no such website.' }];
  });
}

/** How many websites are looked up: a longer list is a fault in itself. */
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
