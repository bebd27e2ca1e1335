/** Manages flags: list, create, read, change, delete (contract.md section 7). */
import { z } from 'zod';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { requireWebsite } from '../../shared/access/website-access.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import { FLAG_STATUSES, type Flag } from '../../shared/model/flag.ts';
import type { SortedPage } from '../../shared/ports/document-store.ts';
import { listPage } from '../list-page.ts';
import { sortedQuerySchema } from '../sorted-page.ts';
import { etagOf, ifMatchOf } from '../write-matching.ts';
import {
  type FlagChanges,
  type FlagInput,
  type FlagView,
  flagChangesSchema,
  flagInputSchema,
  flagViewSchema,
  toFlagView,
} from './schema.ts';
import { changeFlag, createFlag, deleteFlag, requireFlag, type WriteFlagPorts } from './write-flag.ts';

/** What the flags' routes need. */
export type FlagPorts = WriteFlagPorts;

const COMMON = { rule: { scopes: ['manage:flags'] }, tags: ['flags'] } as const;
const MAX_BODY_BYTES = 1_048_576;

const EXAMPLE: FlagView = {
  id: 'flg_01k3w6v1q8z5m7r2c4x9t0b6ha',
  organizationId: 'org_01k3w6v1q8z5m7r2c4x9t0b6hb',
  websiteId: 'web_01k3w6v1q8z5m7r2c4x9t0b6hc',
  key: 'new-checkout',
  name: 'New checkout',
  description: 'The one-page checkout',
  type: 'rollout',
  status: 'active',
  defaultValue: false,
  payload: { columns: 2 },
  rolloutPercentage: 25,
  rolloutBy: 'user',
  rules: [{ type: 'email', operator: 'ends_with', value: '@example.com', enabled: true }],
  variants: [],
  dependencies: [],
  environment: null,
  targetGroupIds: [],
  createdBy: 'usr_01k3w6v1q8z5m7r2c4x9t0b6hd',
  createdAt: '2026-01-15T09:30:00.000Z',
  updatedAt: '2026-01-15T09:30:00.000Z',
};
const ONE = {
  schema: z.object({ success: z.literal(true), data: flagViewSchema }),
  example: { success: true, data: EXAMPLE },
};

const listQuerySchema = sortedQuerySchema(['createdAt', 'key', 'name']).extend({
  website_id: z.string().max(128).optional().describe('Only flags of this website.'),
  status: z
    .enum(FLAG_STATUSES, `Allowed: ${FLAG_STATUSES.join(', ')}.`)
    .optional()
    .describe('Only flags of this status.'),
  environment: z.string().max(50).optional().describe('Only flags of this environment.'),
});
type ListQuery = z.output<typeof listQuerySchema>;

const listRoute = defineRoute<FlagPorts, undefined, ListQuery>({
  ...COMMON,
  operationId: 'listFlags',
  method: 'GET',
  path: '/v1/flags',
  summary: 'List flags',
  description:
    "The flags of the organization and of its websites; a website-specific key sees its websites' alone. `search` looks into keys, names and descriptions.",
  query: listQuerySchema,
  success: {
    status: 200,
    schema: z.object({
      success: z.literal(true),
      data: z.array(flagViewSchema),
      nextCursor: z.string().optional().describe('Present when more follow.'),
    }),
    example: { success: true, data: [EXAMPLE] },
  },
  errors: ['VALIDATION_ERROR', 'ACCESS_DENIED'],
  async handler({ caller, query }, { documents }) {
    const { website_id: websiteId, status, environment } = query;
    if (websiteId !== undefined) await requireWebsite(documents, caller, websiteId);
    const { access } = caller;
    const websiteIds =
      websiteId !== undefined ? [websiteId] : access.level === 'global' ? null : access.websiteIds;
    const where: SortedPage<Flag>['where'] =
      websiteIds === null ? undefined : { field: 'websiteId', values: websiteIds };
    const page = await listPage(documents.flags, organizationOf(caller), query, {
      searched: ({ key, name, description }) => [key, name, description],
      columns: { createdAt: 'createdAt', key: 'key', name: 'name' },
      ...(where === undefined ? {} : { where }),
      ...(status === undefined && environment === undefined
        ? {}
        : {
            filter: (flag: Flag) =>
              (status === undefined || flag.status === status) &&
              (environment === undefined || flag.environment === environment),
          }),
    });
    return { body: { success: true, ...page, data: page.data.map(toFlagView) } };
  },
});

const createRoute = defineRoute<FlagPorts, FlagInput>({
  ...COMMON,
  operationId: 'createFlag',
  method: 'POST',
  path: '/v1/flags',
  summary: 'Create a flag',
  description:
    'A flag of a website, or of the organization without `websiteId`; within either its key is unique. `dependencies` are keys of flags of the same website, else of the organization, and close no circle. `name` is the key when absent.',
  body: {
    schema: flagInputSchema as z.ZodType<FlagInput>,
    judgedBy: 'handler',
    maxBytes: MAX_BODY_BYTES,
    example: { key: 'new-checkout', type: 'rollout', rolloutPercentage: 25, websiteId: EXAMPLE.websiteId },
  },
  success: { status: 201, ...ONE },
  errors: ['VALIDATION_ERROR', 'ACCESS_DENIED', 'CONFLICT'],
  audit: 'flag.create',
  async handler({ caller, body }, ports) {
    const flag = await createFlag(ports, caller, body);
    return {
      body: { success: true, data: toFlagView(flag) },
      headers: { Location: `/v1/flags/${flag.id}`, ETag: etagOf(flag) },
      written: { targetId: flag.id, fields: Object.keys(body) },
    };
  },
});

const getRoute = defineRoute<FlagPorts>({
  ...COMMON,
  operationId: 'getFlag',
  method: 'GET',
  path: '/v1/flags/:id',
  summary: 'Read a flag',
  description: 'One flag. `ETag` names its version.',
  success: { status: 200, ...ONE },
  errors: ['NOT_FOUND', 'ACCESS_DENIED'],
  async handler({ caller, params }, { documents }) {
    const flag = await requireFlag(documents, caller, params.id ?? '');
    return { body: { success: true, data: toFlagView(flag) }, headers: { ETag: etagOf(flag) } };
  },
});

const changeRoute = defineRoute<FlagPorts, FlagChanges>({
  ...COMMON,
  operationId: 'changeFlag',
  method: 'PATCH',
  path: '/v1/flags/:id',
  summary: 'Change a flag',
  description: 'What is not named stays. Key and website of a flag never change.',
  body: {
    schema: flagChangesSchema as z.ZodType<FlagChanges>,
    judgedBy: 'handler',
    maxBytes: MAX_BODY_BYTES,
    example: { rolloutPercentage: 50 },
  },
  success: { status: 200, ...ONE },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'ACCESS_DENIED', 'CONFLICT', 'PRECONDITION_FAILED'],
  audit: 'flag.change',
  async handler({ caller, body, params, headers }, ports) {
    const target = { caller, id: params.id ?? '', ifMatch: ifMatchOf(headers) };
    const flag = await changeFlag(ports, target, body);
    const fields = Object.keys(body);
    return {
      body: { success: true, data: toFlagView(flag) },
      headers: { ETag: etagOf(flag) },
      written: fields.length === 0 ? null : { targetId: flag.id, fields },
    };
  },
});

const deleteRoute = defineRoute<FlagPorts>({
  ...COMMON,
  operationId: 'deleteFlag',
  method: 'DELETE',
  path: '/v1/flags/:id',
  summary: 'Delete a flag',
  description: 'Refused with CONFLICT while other flags depend on it; the text names them.',
  success: { status: 204, schema: z.undefined(), example: undefined },
  errors: ['NOT_FOUND', 'ACCESS_DENIED', 'CONFLICT', 'PRECONDITION_FAILED'],
  audit: 'flag.delete',
  async handler({ caller, params, headers }, ports) {
    const id = params.id ?? '';
    await deleteFlag(ports, { caller, id, ifMatch: ifMatchOf(headers) });
    return { written: { targetId: id } };
  },
});

export const flagRoutes: readonly Route<FlagPorts>[] = [
  listRoute,
  createRoute,
  getRoute,
  changeRoute,
  deleteRoute,
];
