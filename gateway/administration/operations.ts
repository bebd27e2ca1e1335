/** What an operator may do with the stores: one interface for a running server's socket and for the stores themselves. */
import { z } from 'zod';
import type { LimitsOf } from '../../plugins/kit/limits-in-force.ts';
import type { ExportBatch, ExportedBatch } from '../../services/query/export/export-batch-schema.ts';
import { revokeApiKey, rotateApiKey } from '../../services/resources/api-keys/change-api-key.ts';
import {
  type CreateApiKeyPorts,
  type CreatedApiKey,
  createApiKey,
} from '../../services/resources/api-keys/create-api-key.ts';
import { listApiKeys, viewApiKey } from '../../services/resources/api-keys/list-api-keys.ts';
import {
  type ApiKeyInput,
  type ApiKeyView,
  apiKeyViewSchema,
  rotationInputSchema,
} from '../../services/resources/api-keys/schema.ts';
import type { Cleanups } from '../../services/resources/cleanup/cleanups.ts';
import {
  type ResealReport,
  resealIntegrations,
} from '../../services/resources/integrations/reseal-integrations.ts';
import { deleteOrganization } from '../../services/resources/organizations/delete-organization.ts';
import {
  type OrganizationContents,
  organizationContents,
} from '../../services/resources/organizations/organization-contents.ts';
import {
  changeOrganization,
  createOrganization,
  type ListedOrganization,
  listOrganizations,
  type OrganizationChanges,
  type OrganizationInput,
  type OrganizationView,
} from '../../services/resources/organizations/write-organization.ts';
import {
  type CreatedUser,
  createUser,
  type NewUser,
  type Operator,
  type ResetPassword,
  resetPassword,
  setOperator,
} from '../../services/resources/users/write-user.ts';
import { notFound } from '../../services/resources/write-matching.ts';
import { recordAudit } from '../../services/shared/audit/record-audit.ts';
import type { SecretSealer } from '../../services/shared/credentials/secret-sealer.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { nearestName } from '../../services/shared/errors/nearest-name.ts';
import { parseOrThrow, validationError } from '../../services/shared/errors/zod-details.ts';
import type { ImportBatch, ImportOutcome } from '../../services/tracking/import/import-batch.ts';
import type { AccessEntry } from '../serve/access-log/access-entry.ts';
import { type Configurations, NO_CONFIGURATIONS } from './configurations.ts';
import { findImportTarget, type ImportTarget } from './import-target.ts';
import { type Limits, limitsFrom } from './limits.ts';
import type { Backups } from './live-backups.ts';
import { ofGateway } from './of-gateway.ts';
import type { Refusals } from './refusals.ts';
import type { Traffic, TrafficOperations } from './traffic.ts';

/** What a run of an import stored. */
export interface ImportRun extends ImportTarget {
  readonly events: number;
}

/** The operator's wishes for a new key; they are validated where the key is created. */
export const newApiKeySchema = z.strictObject({
  organizationId: z.string(),
  name: z.unknown(),
  scopes: z.array(z.unknown()),
  access: z.unknown(),
  expiresAt: z.string().optional(),
});
export type NewApiKey = ApiKeyInput & { readonly organizationId: string };

/** The operations that the operator socket serves. */
export const createdApiKeySchema = z.object({ apiKey: apiKeyViewSchema, secret: z.string() });

/** Every write leaves an audit record with the actor `cli`, unless stated otherwise. */
export interface Administration extends Backups, Configurations, Limits, Refusals, TrafficOperations {
  /** A new key with its text, which is not shown again. @throws ApiError VALIDATION_ERROR with every fault at once */
  createApiKey(asked: NewApiKey): Promise<CreatedApiKey>;
  /** The keys of an organization or, without one, of all. @throws ApiError VALIDATION_ERROR for an unknown organization */
  listApiKeys(organizationId?: string): Promise<ApiKeyView[]>;
  /** @throws ApiError NOT_FOUND */
  revokeApiKey(id: string): Promise<ApiKeyView>;
  /** The key with its new text, which is not shown again. @throws ApiError NOT_FOUND, VALIDATION_ERROR, CONFLICT */
  rotateApiKey(id: string, graceSeconds: number): Promise<CreatedApiKey>;
  /** Every organization with its usage in the current month. */
  listOrganizations(): Promise<ListedOrganization[]>;
  /** @throws ApiError VALIDATION_ERROR with every fault at once */
  createOrganization(asked: OrganizationInput): Promise<OrganizationView>;
  /** @throws ApiError VALIDATION_ERROR with every fault at once, for an unknown organization too */
  changeOrganization(id: string, asked: OrganizationChanges): Promise<OrganizationView>;
  /** What would be deleted with the organization. @throws ApiError VALIDATION_ERROR for an unknown organization */
  organizationContents(id: string): Promise<OrganizationContents>;
  /**
   * Deletes the organization with everything it owns, its audit records included, so this deletion leaves none. Returns what was deleted.
   * @throws ApiError VALIDATION_ERROR for an unknown organization
   */
  deleteOrganization(id: string): Promise<OrganizationContents>;
  /** @throws ApiError VALIDATION_ERROR with every fault at once, CONFLICT, NOT_FOUND */
  createUser(asked: NewUser): Promise<CreatedUser>;
  /** @throws ApiError NOT_FOUND, CONFLICT */
  resetPassword(email: string): Promise<ResetPassword>;
  /** Lets a person look at the whole service, or no longer. @throws ApiError NOT_FOUND, CONFLICT */
  setOperator(email: string, isOperator: boolean): Promise<Operator>;
  /**
   * The target of an import, or what an export reads: the website with its organization, the organization, or the only organization there is.
   * @throws ApiError VALIDATION_ERROR with every fault at once
   */
  findImportTarget(asked: Partial<ImportTarget>): Promise<ImportTarget>;
  /** Stores lines of an import file, or only validates them; {@link recordImport} leaves the audit record of the run. @throws ApiError VALIDATION_ERROR, SERVICE_UNAVAILABLE */
  importEvents(batch: ImportBatch): Promise<ImportOutcome>;
  /** The next events of an export. @throws ApiError VALIDATION_ERROR, INVALID_DATE_RANGE, SERVICE_UNAVAILABLE */
  exportBatch(asked: ExportBatch): Promise<ExportedBatch>;
  /** Seals the secrets of all integrations with the first key of the secrets file. @throws ApiError SERVICE_UNAVAILABLE */
  resealSecrets(): Promise<ResealReport>;
  /** Makes every process forget the kept answers of backends. @throws ApiError SERVICE_UNAVAILABLE */
  purgeCaches(): Promise<Record<string, never>>;
  /** Leaves one audit record `events.import`: where to, and how many. @throws ApiError VALIDATION_ERROR for an unknown organization */
  recordImport(run: ImportRun): Promise<ImportRun>;
}

export interface AdministrationOptions {
  /** Prefix of new keys. */
  readonly keyPrefix: string;
  /** Names of the existing plans; read when an organization is written. */
  plans(): Promise<readonly string[]>;
  /** Seals secrets; read when they are sealed again. */
  sealer(): Promise<SecretSealer>;
  /** Stores a batch of an import where this process keeps events. */
  importBatch(batch: ImportBatch): Promise<ImportOutcome>;
  /** Reads a batch of an export from there. */
  exportBatch(asked: ExportBatch): Promise<ExportedBatch>;
  /** Removes what belongs to a deleted thing; notified before anything is deleted. */
  cleanups(): Promise<Pick<Cleanups, 'wake'>>;
  /** Tells every process to forget; absent where none could be told. */
  readonly purgeCaches?: (() => void) | null;
  /** Copies the embedded stores; absent where this process is not their server. */
  readonly backups?: Backups | null;
  readonly refusals?: (requestId: string) => readonly AccessEntry[];
  readonly configurations?: Configurations;
  readonly limits?: LimitsOf;
  readonly traffic?: () => Promise<Traffic>;
}

/** The actor of the command line, as named in `createdBy` and the audit. */
const CLI = 'cli';

/** The operations over the stores of this process. */
export function createAdministration(
  ports: CreateApiKeyPorts,
  options: AdministrationOptions,
): Administration {
  const { documents } = ports;
  const { keyPrefix, plans, sealer, importBatch, exportBatch, cleanups, purgeCaches, backups } = options;

  async function organizationIds(wanted?: string): Promise<string[]> {
    const ids = (await documents.allOrganizations()).map((organization) => organization.id);
    if (wanted === undefined) return ids;
    if (ids.includes(wanted)) return [wanted];
    const fault = { field: 'organization', message: `There is no organization "${wanted}".` };
    const suggestion = nearestName(wanted, ids);
    throw validationError([suggestion === undefined ? fault : { ...fault, suggestion }]);
  }

  async function targetOf(id: string): Promise<{ organizationId: string; id: string }> {
    const key = await documents.apiKeys.findUnique('id', [id]);
    if (!key) throw notFound('API key', id);
    return { organizationId: key.organizationId, id };
  }

  async function record(
    action: string,
    organizationId: string,
    targetId: string,
    fields: readonly string[] = [],
  ): Promise<void> {
    const actor = { kind: CLI, id: CLI, userId: null } as const;
    const from = { address: null, requestId: null };
    await recordAudit(ports, { action, organizationId, targetId, fields, actor, ...from });
  }

  /** Each organization of the user gets a record. */
  async function recordForUser(action: string, userId: string, fields: readonly string[]): Promise<void> {
    for (const id of await organizationIds()) {
      const membership = await documents.memberships.findUnique('organizationUser', [id, userId]);
      if (membership) await record(action, id, userId, fields);
    }
  }

  function copying(): Backups {
    if (backups) return backups;
    throw new ApiError('VALIDATION_ERROR', {
      text: 'This process has no embedded stores open: there is nothing to copy.',
    });
  }

  return {
    async purgeCaches() {
      if (!purgeCaches) {
        const text = 'No process could be told: it takes a running server in DATA_DIR, or REDIS_URL.';
        throw new ApiError('SERVICE_UNAVAILABLE', { text });
      }
      purgeCaches();
      return {};
    },
    refusals: async (id) => ofGateway(options.refusals)(id),
    ...(options.configurations ?? NO_CONFIGURATIONS),
    limits: (id) => limitsFrom(options.limits, id),
    traffic: async () => ofGateway(options.traffic)(),
    beginBackup: async () => copying().beginBackup(),
    backupState: async (id) => copying().backupState(id),
    endBackup: async (id) => copying().endBackup(id),
    async createApiKey({ organizationId, ...asked }) {
      await organizationIds(organizationId);
      const owner = { organizationId, createdBy: CLI, prefix: keyPrefix };
      const created = await createApiKey(ports, owner, asked);
      await record('api-key.create', organizationId, created.apiKey.id, Object.keys(asked));
      return created;
    },
    async listApiKeys(organizationId) {
      const ids = await organizationIds(organizationId);
      return (await Promise.all(ids.map((id) => listApiKeys(ports, id)))).flat();
    },
    async revokeApiKey(id) {
      const { apiKey, changed } = await revokeApiKey(ports, await targetOf(id));
      if (changed) await record('api-key.revoke', apiKey.organizationId, id);
      return viewApiKey(ports, apiKey);
    },
    async rotateApiKey(id, grace) {
      const { graceSeconds } = parseOrThrow(rotationInputSchema, { graceSeconds: grace });
      const rotated = await rotateApiKey(ports, await targetOf(id), { graceSeconds, prefix: keyPrefix });
      await record('api-key.rotate', rotated.apiKey.organizationId, id);
      return { apiKey: await viewApiKey(ports, rotated.apiKey), secret: rotated.secret };
    },
    async listOrganizations() {
      return listOrganizations(documents, ports.clock.now());
    },
    async createOrganization(asked) {
      const created = await createOrganization(ports, await plans(), asked);
      await record('organization.create', created.id, created.id, Object.keys(asked));
      return created;
    },
    async changeOrganization(id, asked) {
      await organizationIds(id);
      const changed = await changeOrganization(ports, await plans(), id, asked);
      await record('organization.change', id, id, Object.keys(asked));
      return changed;
    },
    async organizationContents(id) {
      await organizationIds(id);
      return organizationContents(documents, id);
    },
    async deleteOrganization(id) {
      await organizationIds(id);
      return deleteOrganization({ ...ports, cleanups: await cleanups() }, id);
    },
    async createUser(asked) {
      await organizationIds(asked.organizationId);
      const created = await createUser(ports, asked);
      await record('member.create', created.organizationId, created.membershipId, ['email', 'role']);
      return created;
    },
    async resetPassword(email) {
      const reset = await resetPassword(ports, email);
      await recordForUser('user.reset-password', reset.userId, ['password']);
      return reset;
    },
    async setOperator(email, isOperator) {
      const set = await setOperator(ports, email, isOperator);
      if (isOperator) await recordForUser('user.grant-operator', set.userId, ['isOperator']);
      else await recordForUser('user.revoke-operator', set.userId, ['isOperator']);
      return set;
    },
    findImportTarget: (asked) => findImportTarget(documents, asked, organizationIds),
    importEvents: importBatch,
    exportBatch,
    async resealSecrets() {
      const report = await resealIntegrations(documents, await sealer());
      for (const { organizationId, integrationId, fields } of report.resealed) {
        const named = fields.map((field) => `config.${field.split('.')[0]}`);
        await record('integration.reseal', organizationId, integrationId, [...new Set(named)]);
      }
      for (const { organizationId, shareId } of report.shares.resealed) {
        await record('share.reseal', organizationId, shareId, ['token']);
      }
      return report;
    },
    async recordImport(run) {
      const { organizationId, websiteId, events } = run;
      await organizationIds(organizationId);
      await record('events.import', organizationId, websiteId ?? organizationId, [`${events} events`]);
      return run;
    },
  };
}
