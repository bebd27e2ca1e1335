/** The routes of the operator socket: the operation behind each method, and the schema of its body. */
import { z } from 'zod';
import { exportBatchSchema } from '../../services/query/export/export-batch-schema.ts';
import type { NewUser } from '../../services/resources/users/write-user.ts';
import { parseOrThrow } from '../../services/shared/errors/zod-details.ts';
import { firstValue, type QueryParameters } from '../../services/shared/http/query-string.ts';
import { LARGEST_IMPORT_BATCH } from '../../services/tracking/import/import-batch.ts';
import type { Limits } from './limits.ts';
import { type Administration, type NewApiKey, newApiKeySchema } from './operations.ts';
import type { Refusals } from './refusals.ts';
import type { TrafficOperations } from './traffic.ts';

/** What a gateway that runs alone can tell. */
export type GatewayOperations = Limits & Refusals & TrafficOperations;

/** One operation; its body is read only if the operation asks for it. */
export interface AdministrationRoute<Operations = Administration> {
  readonly readsBody: boolean;
  /** Largest body in bytes; default: 64 KB. */
  readonly maxBytes?: number;
  run(administration: Operations, body: unknown, query: QueryParameters): Promise<unknown>;
}

/** The operations behind each path, by method. */
export type AdministrationRoutes<Operations> = Readonly<
  Record<string, Readonly<Record<string, AdministrationRoute<Operations>>>>
>;

function reading<Operations = Administration>(
  run: (administration: Operations, query: QueryParameters) => Promise<unknown>,
): AdministrationRoute<Operations> {
  return { readsBody: false, run: (administration, _body, query) => run(administration, query) };
}

function writing<T>(
  schema: z.ZodType<T>,
  run: (administration: Administration, body: T) => Promise<unknown>,
): AdministrationRoute {
  return {
    readsBody: true,
    run: async (administration, body) => run(administration, parseOrThrow(schema, body)),
  };
}

const text = z.string();
const idSchema = z.strictObject({ id: text });
const rotationSchema = z.strictObject({ id: text, graceSeconds: z.number() });
const organizationSchema = z.strictObject({ name: text, plan: text });
const organizationChangesSchema = z.strictObject({
  id: text,
  changes: z.strictObject({
    name: text.optional(),
    plan: text.optional(),
    retentionDays: z.number().nullable().optional(),
    limits: z.record(text, z.number().nullable()).optional(),
  }),
});
const userSchema = z.strictObject({
  email: text,
  organizationId: text,
  role: text,
  existing: z.boolean().optional(),
});
const importTargetSchema = z.strictObject({
  organizationId: text.optional(),
  websiteId: text.nullable().optional(),
});
const importBatchSchema = z.strictObject({
  organizationId: text,
  websiteId: text.nullable(),
  lines: z.array(z.strictObject({ number: z.number(), text, eventId: text })).max(LARGEST_IMPORT_BATCH),
  faultsAllowed: z.number(),
  dryRun: z.boolean().optional(),
});
const importRunSchema = z.strictObject({
  organizationId: text,
  websiteId: text.nullable(),
  events: z.int().min(1),
});
/** A batch with its lines quoted. */
const IMPORT_MAX_BYTES = 8_388_608;
const emailSchema = z.strictObject({ email: text });
const operatorGrantSchema = z.strictObject({ email: text, isOperator: z.boolean() });
const operatorSchema = z.strictObject({ by: text.min(1).max(100) });
const rollbackSchema = operatorSchema.extend({ number: z.int().min(1) });

const limits = reading((gateway: GatewayOperations, query) =>
  gateway.limits(firstValue(query, 'organization') ?? ''),
);
const refusals = reading((gateway: GatewayOperations, query) =>
  gateway.refusals(firstValue(query, 'id') ?? ''),
);
const traffic = reading((gateway: GatewayOperations) => gateway.traffic());

/** The paths of a gateway that runs alone, with their methods. */
export const GATEWAY_ROUTES: AdministrationRoutes<GatewayOperations> = {
  '/limits': { GET: limits },
  '/refusals': { GET: refusals },
  '/traffic': { GET: traffic },
};

/** Every path with its methods. */
export const ADMINISTRATION_ROUTES: AdministrationRoutes<Administration> = {
  ...GATEWAY_ROUTES,
  '/api-keys': {
    GET: reading((administration, query) => administration.listApiKeys(firstValue(query, 'organization'))),
    POST: writing(newApiKeySchema, (administration, asked) =>
      // A key is validated in full where it is created.
      administration.createApiKey(asked as NewApiKey),
    ),
  },
  '/api-keys/revoke': {
    POST: writing(idSchema, (administration, { id }) => administration.revokeApiKey(id)),
  },
  '/api-keys/rotate': {
    POST: writing(rotationSchema, (administration, { id, graceSeconds }) =>
      administration.rotateApiKey(id, graceSeconds),
    ),
  },
  '/organizations': {
    GET: reading((administration) => administration.listOrganizations()),
    POST: writing(organizationSchema, (administration, asked) => administration.createOrganization(asked)),
  },
  '/organizations/update': {
    POST: writing(organizationChangesSchema, (administration, { id, changes }) =>
      administration.changeOrganization(id, changes),
    ),
  },
  '/organizations/contents': {
    POST: writing(idSchema, (administration, { id }) => administration.organizationContents(id)),
  },
  '/organizations/delete': {
    POST: writing(idSchema, (administration, { id }) => administration.deleteOrganization(id)),
  },
  '/users': {
    POST: writing(userSchema, (administration, asked) =>
      // Validated in full where the user is created.
      administration.createUser(asked as NewUser),
    ),
  },
  '/users/reset-password': {
    POST: writing(emailSchema, (administration, { email }) => administration.resetPassword(email)),
  },
  '/users/operator': {
    POST: writing(operatorGrantSchema, (administration, { email, isOperator }) =>
      administration.setOperator(email, isOperator),
    ),
  },
  '/secrets/reseal': {
    POST: writing(z.strictObject({}), (administration) => administration.resealSecrets()),
  },
  '/caches/purge': {
    POST: writing(z.strictObject({}), (administration) => administration.purgeCaches()),
  },
  '/configurations': {
    GET: reading((administration, query) => {
      const number = firstValue(query, 'number');
      return number === undefined
        ? administration.listConfigurations()
        : administration.configuration(Number(number));
    }),
  },
  '/configurations/rollback': {
    POST: writing(rollbackSchema, (administration, { number, by }) => administration.rollback(number, by)),
  },
  '/configurations/unpin': {
    POST: writing(operatorSchema, (administration, { by }) => administration.unpin(by)),
  },
  '/backups': {
    GET: reading((administration, query) => administration.backupState(firstValue(query, 'id') ?? '')),
    POST: writing(z.strictObject({}), (administration) => administration.beginBackup()),
  },
  '/backups/end': {
    POST: writing(idSchema, async (administration, { id }) => {
      await administration.endBackup(id);
      return { id };
    }),
  },
  '/imports/target': {
    POST: writing(importTargetSchema, (administration, asked) => administration.findImportTarget(asked)),
  },
  '/imports/record': {
    POST: writing(importRunSchema, (administration, run) => administration.recordImport(run)),
  },
  '/exports': {
    POST: writing(exportBatchSchema, (administration, asked) => administration.exportBatch(asked)),
  },
  '/imports': {
    POST: {
      ...writing(importBatchSchema, (administration, batch) => administration.importEvents(batch)),
      maxBytes: IMPORT_MAX_BYTES,
    },
  },
};
