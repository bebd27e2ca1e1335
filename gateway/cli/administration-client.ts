/** The administration operations of a running server, called through its socket. */
import { request } from 'node:http';
import { z } from 'zod';
import { limitsInForceSchema } from '../../plugins/kit/limits-in-force.ts';
import { exportedBatchSchema } from '../../services/query/export/export-batch-schema.ts';
import { apiKeyViewSchema } from '../../services/resources/api-keys/schema.ts';
import { resealReportSchema } from '../../services/resources/integrations/reseal-integrations.ts';
import { organizationContentsSchema } from '../../services/resources/organizations/organization-contents.ts';
import {
  listedOrganizationSchema,
  organizationViewSchema,
} from '../../services/resources/organizations/write-organization.ts';
import {
  createdUserSchema,
  operatorSchema,
  resetPasswordSchema,
} from '../../services/resources/users/write-user.ts';
import { writeQuery } from '../../services/shared/http/query-string.ts';
import { configurationRecordSchema } from '../../services/shared/model/configuration-record.ts';
import { configurationListSchema, pinnedConfigurationSchema } from '../administration/configurations.ts';
import { backupStateSchema } from '../administration/live-backups.ts';
import { type Administration, createdApiKeySchema } from '../administration/operations.ts';
import { refusalSchema } from '../administration/refusals.ts';
import { trafficSchema } from '../administration/traffic.ts';
import { Refusal } from './refusal.ts';

const refusedSchema = z.object({
  success: z.literal(false),
  code: z.string(),
  error: z.string(),
  details: z.array(z.object({ field: z.string(), message: z.string(), suggestion: z.string().optional() })),
});

const importTargetSchema = z.object({ organizationId: z.string(), websiteId: z.string().nullable() });
const importRunSchema = importTargetSchema.extend({ events: z.number() });
const importOutcomeSchema = z.object({
  stored: z.number(),
  badLines: z.array(z.object({ number: z.number(), field: z.string(), message: z.string() })),
  goodLines: z.array(z.object({ number: z.number(), id: z.string(), isRepeat: z.boolean() })).optional(),
});

/** How long a server may take to answer, in milliseconds: it may be busy with much else. */
const TIMEOUT_MS = 60_000;

/** Operations of the server that listens on `socketPath`. @throws Refusal with the server's error */
export function createAdministrationClient(socketPath: string): Administration {
  async function ask<T>(answer: z.ZodType<T>, method: string, path: string, body?: unknown): Promise<T> {
    const text = await exchange(socketPath, method, path, body === undefined ? '' : JSON.stringify(body));
    const received: unknown = JSON.parse(text);
    const refused = refusedSchema.safeParse(received);
    if (refused.success) throw new Refusal(refused.data.code, refused.data.error, refused.data.details);
    return z.object({ success: z.literal(true), data: answer }).parse(received).data;
  }
  return {
    createApiKey: (asked) => ask(createdApiKeySchema, 'POST', '/api-keys', asked),
    listApiKeys(organizationId) {
      const selector = organizationId === undefined ? '' : `?${writeQuery({ organization: organizationId })}`;
      return ask(z.array(apiKeyViewSchema), 'GET', `/api-keys${selector}`);
    },
    revokeApiKey: (id) => ask(apiKeyViewSchema, 'POST', '/api-keys/revoke', { id }),
    rotateApiKey: (id, graceSeconds) =>
      ask(createdApiKeySchema, 'POST', '/api-keys/rotate', { id, graceSeconds }),
    listOrganizations: () => ask(z.array(listedOrganizationSchema), 'GET', '/organizations'),
    createOrganization: (asked) => ask(organizationViewSchema, 'POST', '/organizations', asked),
    changeOrganization: (id, changes) =>
      ask(organizationViewSchema, 'POST', '/organizations/update', { id, changes }),
    organizationContents: (id) => ask(organizationContentsSchema, 'POST', '/organizations/contents', { id }),
    deleteOrganization: (id) => ask(organizationContentsSchema, 'POST', '/organizations/delete', { id }),
    createUser: (asked) => ask(createdUserSchema, 'POST', '/users', asked),
    findImportTarget: (asked) => ask(importTargetSchema, 'POST', '/imports/target', asked),
    importEvents: (batch) => ask(importOutcomeSchema, 'POST', '/imports', batch),
    exportBatch: (asked) => ask(exportedBatchSchema, 'POST', '/exports', asked),
    resealSecrets: () => ask(resealReportSchema, 'POST', '/secrets/reseal', {}),
    purgeCaches: () => ask(z.strictObject({}), 'POST', '/caches/purge', {}),
    recordImport: (run) => ask(importRunSchema, 'POST', '/imports/record', run),
    listConfigurations: () => ask(configurationListSchema, 'GET', '/configurations'),
    configuration: (number) =>
      ask(configurationRecordSchema, 'GET', `/configurations?${writeQuery({ number: String(number) })}`),
    rollback: (number, by) =>
      ask(pinnedConfigurationSchema, 'POST', '/configurations/rollback', { number, by }),
    unpin: (by) => ask(pinnedConfigurationSchema, 'POST', '/configurations/unpin', { by }),
    limits: (organization) => ask(limitsInForceSchema, 'GET', `/limits?${writeQuery({ organization })}`),
    refusals: (id) => ask(z.array(refusalSchema), 'GET', `/refusals?${writeQuery({ id })}`),
    traffic: () => ask(trafficSchema, 'GET', '/traffic'),
    beginBackup: () => ask(backupStateSchema, 'POST', '/backups', {}),
    backupState: (id) => ask(backupStateSchema, 'GET', `/backups?${writeQuery({ id })}`),
    async endBackup(id) {
      await ask(z.object({ id: z.string() }), 'POST', '/backups/end', { id });
    },
    setOperator: (email, isOperator) => ask(operatorSchema, 'POST', '/users/operator', { email, isOperator }),
    resetPassword: (email) => ask(resetPasswordSchema, 'POST', '/users/reset-password', { email }),
  };
}

function exchange(socketPath: string, method: string, path: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const sent = request({ socketPath, method, path, headers, timeout: TIMEOUT_MS }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
      response.on('error', reject);
    });
    sent.on('timeout', () =>
      sent.destroy(new Error(`the running server did not answer in ${TIMEOUT_MS / 1_000} seconds`)),
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
