/** Target groups, which belong to the whole organization, on the wire (contract.md section 7). */
import { defineResource } from '../define-resource.ts';
import type { WriteFlagPorts } from '../flags/write-flag.ts';
import { parseFields } from '../judge-fields.ts';
import {
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

const MANAGING = { scopes: ['manage:flags'] } as const;

export const targetGroupRoutes = defineResource({
  collection: 'targetGroups',
  path: '/v1/target-groups',
  tag: 'target-groups',
  one: 'a target group',
  many: 'target groups',
  operation: 'TargetGroup',
  audit: 'target-group',
  rules: { read: MANAGING, write: MANAGING },
  maxBytes: 1_048_576,
  view: { schema: targetGroupViewSchema, example: EXAMPLE, of: toTargetGroupView },
  list: {
    description:
      'The target groups of the organization; a website-specific key reaches none. `search` looks into names and descriptions.',
    sortBy: ['createdAt', 'name'],
    searched: ['name', 'description'],
    select: ({ caller }) => ({ organizationId: groupsOrganizationOf(caller) }),
  },
  create: {
    description: 'Rules that flags share: a flag that names the group applies them after its own rules.',
    schema: targetGroupInputSchema,
    example: { name: EXAMPLE.name, color: EXAMPLE.color, rules: EXAMPLE.rules },
    parse(asked, caller) {
      groupsOrganizationOf(caller);
      return parseFields(targetGroupInputSchema, asked);
    },
    write: (input, caller, ports: WriteFlagPorts) => createTargetGroup(ports, caller, input),
  },
  read: {
    description: 'One target group. `ETag` names its version.',
    get: ({ caller, id }, { documents }) => requireTargetGroup(documents, caller, id),
  },
  change: {
    description:
      'Fields that are not named stay unchanged. Every flag that names the group uses the new rules.',
    schema: targetGroupChangesSchema,
    example: { name: 'Early birds' },
    async parse(asked, { caller, id }, { documents }) {
      const before = await requireTargetGroup(documents, caller, id);
      return { before, changes: parseFields(targetGroupChangesSchema, asked) };
    },
    write: (asked, target, ports) => changeTargetGroup(ports, target, asked),
  },
  remove: {
    description: 'Refused with CONFLICT while flags use it; the text names them.',
    write: (target, ports) => deleteTargetGroup(ports, target),
  },
});
