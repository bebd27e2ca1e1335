/** The caller's own organization: reading it, and changing what its members may (contract.md section 7). */
import { z } from 'zod';
import { requireGlobalAccess } from '../../shared/access/global-access.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import { etagOf, ifMatchOf, notFound } from '../write-matching.ts';
import {
  changeOwnOrganization,
  type OwnOrganizationPorts,
  parseOwnChanges,
  viewOwnOrganization,
} from './own-organization.ts';
import {
  type OwnOrganization,
  type OwnOrganizationChanges,
  ownOrganizationChangesSchema,
  ownOrganizationSchema,
} from './schema.ts';

const COMMON = {
  path: '/v1/organization',
  rule: { scopes: ['manage:config'] },
  tags: ['organization'],
} as const;
const MAX_BODY_BYTES = 65_536;

const MONTH = { month: '2026-01', requests: 18_204, events: 90_311 };
const EXAMPLE: OwnOrganization = {
  id: 'org_01k3w6v1q8z5m7r2c4x9t0b6hb',
  name: 'Example',
  slug: 'example',
  timezone: 'Europe/Berlin',
  settings: {},
  plan: 'pro',
  limits: {
    per10Seconds: 200,
    perMinute: 1_200,
    perDay: null,
    perMonth: 1_000_000,
    customSqlPerMinute: 30,
    batchDatasetsPerMinute: 6_000,
    batchEventsPerMinute: 60_000,
    publicPerMinute: 100,
    websites: 1_000,
    links: 10_000,
    goals: 1_000,
    funnels: 1_000,
  },
  ownLimits: [],
  usage: { ...MONTH, months: [MONTH] },
  createdAt: '2026-01-15T09:30:00.000Z',
  updatedAt: '2026-01-15T09:30:00.000Z',
};
const ONE = {
  status: 200,
  schema: z.object({ success: z.literal(true), data: ownOrganizationSchema }),
  example: { success: true, data: EXAMPLE },
};

const getRoute = defineRoute<OwnOrganizationPorts>({
  ...COMMON,
  operationId: 'getOrganization',
  method: 'GET',
  summary: 'Read the organization',
  description:
    'The organization of the caller, with the limits that apply to it and its usage. `ETag` names the version of the fields that can be changed. Needs global access.',
  success: ONE,
  errors: ['ACCESS_DENIED', 'NOT_FOUND'],
  async handler({ caller }, ports) {
    const id = requireGlobalAccess(caller);
    const organization = await ports.documents.organizations.get(id, id);
    if (!organization) throw notFound('organization', id);
    return {
      body: { success: true, data: await viewOwnOrganization(ports, organization) },
      headers: { ETag: etagOf(organization) },
    };
  },
});

const changeRoute = defineRoute<OwnOrganizationPorts, OwnOrganizationChanges>({
  ...COMMON,
  operationId: 'changeOrganization',
  method: 'PATCH',
  summary: 'Change the organization',
  description:
    'Fields that are not named stay unchanged. Plan, limits and usage are read-only. Needs global access.',
  body: {
    schema: ownOrganizationChangesSchema,
    maxBytes: MAX_BODY_BYTES,
    example: { name: 'Example', timezone: 'Europe/Berlin' },
  },
  success: ONE,
  errors: ['ACCESS_DENIED', 'NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
  audit: 'organization.change',
  parse(asked, { caller }) {
    requireGlobalAccess(caller);
    return parseOwnChanges(asked);
  },
  async handler({ caller, body, headers }, ports) {
    const id = requireGlobalAccess(caller);
    const { document, changed } = await changeOwnOrganization(ports, id, ifMatchOf(headers), body);
    return {
      body: { success: true, data: await viewOwnOrganization(ports, document) },
      headers: { ETag: etagOf(document) },
      written: changed ? { targetId: id, fields: Object.keys(body) } : null,
    };
  },
});

export const organizationRoutes: readonly Route<OwnOrganizationPorts>[] = [getRoute, changeRoute];
