/** Manages target groups, which are of the whole organization: list, create, read, change, delete (contract.md section 7). */
import { z } from 'zod';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import type { WriteFlagPorts } from '../flags/write-flag.ts';
import { listPage } from '../list-page.ts';
import { type SortedQuery, sortedQuerySchema } from '../sorted-page.ts';
import { etagOf, ifMatchOf } from '../write-matching.ts';
import {
  type TargetGroupChanges,
  type TargetGroupInput,
  type TargetGroupView,
  targetGroupChangesSchema,
  targetGroupInputSchema,
  targetGroupViewSchema,
  toTargetGroupView,
} from './schema.ts';
import {
  changeTargetGroup,
  createTargetGroup,
  deleteTargetGroup,
  groupsOrganizationOf,
  requireTargetGroup,
} from './write-target-group.ts';

const COMMON = { rule: { scopes: ['manage:flags'] }, tags: ['target-groups'] } as const;
const MAX_BODY_BYTES = 1_048_576;

const EXAMPLE: TargetGroupView = {
  id: 'tgt_01k3w6v1q8z5m7r2c4x9t0b6ha',
  organizationId: 'org_01k3w6v1q8z5m7r2c4x9t0b6hb',
  name: 'Beta testers',
  description: '',
  color: '#2563eb',
  rules: [{ type: 'property', operator: 'equals', field: 'plan', value: 'beta', enabled: true }],
  createdBy: 'usr_01k3w6v1q8z5m7r2c4x9t0b6hd',
  createdAt: '2026-01-15T09:30:00.000Z',
  updatedAt: '2026-01-15T09:30:00.000Z',
};
const ONE = {
  schema: z.object({ success: z.literal(true), data: targetGroupViewSchema }),
  example: { success: true, data: EXAMPLE },
};

const listRoute = defineRoute<WriteFlagPorts, undefined, SortedQuery>({
  ...COMMON,
  operationId: 'listTargetGroups',
  method: 'GET',
  path: '/v1/target-groups',
  summary: 'List target groups',
  description:
    'The target groups of the organization; a website-specific key reaches none. `search` looks into names and descriptions.',
  query: sortedQuerySchema(['createdAt', 'name']),
  success: {
    status: 200,
    schema: z.object({
      success: z.literal(true),
      data: z.array(targetGroupViewSchema),
      nextCursor: z.string().optional().describe('Present when more follow.'),
    }),
    example: { success: true, data: [EXAMPLE] },
  },
  errors: ['VALIDATION_ERROR', 'ACCESS_DENIED'],
  async handler({ caller, query }, { documents }) {
    const page = await listPage(documents.targetGroups, groupsOrganizationOf(caller), query, {
      searched: ({ name, description }) => [name, description],
      columns: { createdAt: 'createdAt', name: 'name' },
    });
    return { body: { success: true, ...page, data: page.data.map(toTargetGroupView) } };
  },
});

const createRoute = defineRoute<WriteFlagPorts, TargetGroupInput>({
  ...COMMON,
  operationId: 'createTargetGroup',
  method: 'POST',
  path: '/v1/target-groups',
  summary: 'Create a target group',
  description: 'Rules that flags share: a flag that names the group asks them after its own rules.',
  body: {
    schema: targetGroupInputSchema as z.ZodType<TargetGroupInput>,
    judgedBy: 'handler',
    maxBytes: MAX_BODY_BYTES,
    example: { name: EXAMPLE.name, color: EXAMPLE.color, rules: EXAMPLE.rules },
  },
  success: { status: 201, ...ONE },
  errors: ['VALIDATION_ERROR', 'ACCESS_DENIED', 'CONFLICT'],
  audit: 'target-group.create',
  async handler({ caller, body }, ports) {
    const group = await createTargetGroup(ports, caller, body);
    return {
      body: { success: true, data: toTargetGroupView(group) },
      headers: { Location: `/v1/target-groups/${group.id}`, ETag: etagOf(group) },
      written: { targetId: group.id, fields: Object.keys(body) },
    };
  },
});

const getRoute = defineRoute<WriteFlagPorts>({
  ...COMMON,
  operationId: 'getTargetGroup',
  method: 'GET',
  path: '/v1/target-groups/:id',
  summary: 'Read a target group',
  description: 'One target group. `ETag` names its version.',
  success: { status: 200, ...ONE },
  errors: ['NOT_FOUND', 'ACCESS_DENIED'],
  async handler({ caller, params }, { documents }) {
    const group = await requireTargetGroup(documents, caller, params.id ?? '');
    return { body: { success: true, data: toTargetGroupView(group) }, headers: { ETag: etagOf(group) } };
  },
});

const changeRoute = defineRoute<WriteFlagPorts, TargetGroupChanges>({
  ...COMMON,
  operationId: 'changeTargetGroup',
  method: 'PATCH',
  path: '/v1/target-groups/:id',
  summary: 'Change a target group',
  description: 'What is not named stays. Every flag that names the group goes by the new rules.',
  body: {
    schema: targetGroupChangesSchema as z.ZodType<TargetGroupChanges>,
    judgedBy: 'handler',
    maxBytes: MAX_BODY_BYTES,
    example: { name: 'Early birds' },
  },
  success: { status: 200, ...ONE },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'ACCESS_DENIED', 'CONFLICT', 'PRECONDITION_FAILED'],
  audit: 'target-group.change',
  async handler({ caller, body, params, headers }, ports) {
    const target = { caller, id: params.id ?? '', ifMatch: ifMatchOf(headers) };
    const group = await changeTargetGroup(ports, target, body);
    const fields = Object.keys(body);
    return {
      body: { success: true, data: toTargetGroupView(group) },
      headers: { ETag: etagOf(group) },
      written: fields.length === 0 ? null : { targetId: group.id, fields },
    };
  },
});

const deleteRoute = defineRoute<WriteFlagPorts>({
  ...COMMON,
  operationId: 'deleteTargetGroup',
  method: 'DELETE',
  path: '/v1/target-groups/:id',
  summary: 'Delete a target group',
  description: 'Refused with CONFLICT while flags use it; the text names them.',
  success: { status: 204, schema: z.undefined(), example: undefined },
  errors: ['NOT_FOUND', 'ACCESS_DENIED', 'CONFLICT', 'PRECONDITION_FAILED'],
  audit: 'target-group.delete',
  async handler({ caller, params, headers }, ports) {
    const id = params.id ?? '';
    await deleteTargetGroup(ports, { caller, id, ifMatch: ifMatchOf(headers) });
    return { written: { targetId: id } };
  },
});

export const targetGroupRoutes: readonly Route<WriteFlagPorts>[] = [
  listRoute,
  createRoute,
  getRoute,
  changeRoute,
  deleteRoute,
];
