/** Flags on the wire (contract.md section 7). */
import { z } from 'zod';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { requireWebsite } from '../../shared/access/website-access.ts';
import { FLAG_STATUSES } from '../../shared/model/flag.ts';
import { defineResource } from '../define-resource.ts';
import { judgeFields } from '../judge-fields.ts';
import { sortedQuerySchema } from '../sorted-page.ts';
import { type FlagView, flagChangesSchema, flagInputSchema, flagViewSchema, toFlagView } from './schema.ts';
import { changeFlag, createFlag, deleteFlag, requireFlag, type WriteFlagPorts } from './write-flag.ts';

/** What the flags' routes need. */
export type FlagPorts = WriteFlagPorts;

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
const SORT_BY = ['createdAt', 'key', 'name'] as const;
const listQuerySchema = sortedQuerySchema(SORT_BY).extend({
  website_id: z.string().max(128).optional().describe('Only flags of this website.'),
  status: z
    .enum(FLAG_STATUSES, `Allowed: ${FLAG_STATUSES.join(', ')}.`)
    .optional()
    .describe('Only flags of this status.'),
  environment: z.string().max(50).optional().describe('Only flags of this environment.'),
});

const MANAGING = { scopes: ['manage:flags'] } as const;

export const flagRoutes = defineResource({
  collection: 'flags',
  path: '/v1/flags',
  tag: 'flags',
  one: 'a flag',
  many: 'flags',
  operation: 'Flag',
  audit: 'flag',
  rules: { read: MANAGING, write: MANAGING },
  maxBytes: 1_048_576,
  view: { schema: flagViewSchema, example: EXAMPLE, of: toFlagView },
  list: {
    description:
      'The flags of the organization and of its websites; a website-specific key sees only those of its websites. `search` looks into keys, names and descriptions.',
    sortBy: SORT_BY,
    searched: ['key', 'name', 'description'],
    query: listQuerySchema,
    async select({ caller, query }, { documents }: FlagPorts) {
      const { website_id: websiteId, status, environment } = query;
      if (websiteId !== undefined) await requireWebsite(documents, caller, websiteId);
      const { access } = caller;
      const websiteIds =
        websiteId !== undefined ? [websiteId] : access.level === 'global' ? null : access.websiteIds;
      const where = [
        ...(websiteIds === null ? [] : [{ field: 'websiteId', values: websiteIds } as const]),
        ...(status === undefined ? [] : [{ field: 'status', values: [status] } as const]),
        ...(environment === undefined ? [] : [{ field: 'environment', values: [environment] } as const]),
      ];
      return { organizationId: organizationOf(caller), where };
    },
  },
  create: {
    description:
      'A flag of a website, or of the organization without `websiteId`; within either its key is unique. `dependencies` are keys of flags of the same website, else of the organization, and close no circle. `name` is the key when absent.',
    schema: flagInputSchema,
    example: { key: 'new-checkout', type: 'rollout', rolloutPercentage: 25, websiteId: EXAMPLE.websiteId },
    parse: (asked) => judgeFields(flagInputSchema, asked),
    write: (asked, caller, ports) => createFlag(ports, caller, asked),
  },
  read: {
    description: 'One flag. `ETag` names its version.',
    get: ({ caller, id }, { documents }) => requireFlag(documents, caller, id),
  },
  change: {
    description: 'Fields that are not named stay unchanged. Key and website of a flag never change.',
    schema: flagChangesSchema,
    example: { rolloutPercentage: 50 },
    parse: (asked) => judgeFields(flagChangesSchema, asked),
    write: (asked, target, ports) => changeFlag(ports, target, asked),
  },
  remove: {
    description: 'Refused with CONFLICT while other flags depend on it; the text names them.',
    write: (target, ports) => deleteFlag(ports, target),
  },
});
