/** Goals on the wire: what counts as reached on a website, for queries to count. */
import { defineWebsiteResource } from '../define-website-resource.ts';
import {
  type GoalView,
  goalFaults,
  goalFieldsSchema,
  goalViewSchema,
  positionBehind,
  storedGoal,
  toGoalView,
} from './schema.ts';

const EXAMPLE: GoalView = {
  id: 'gol_01k3w6v1q8z5m7r2c4x9t0b6ha',
  organizationId: 'org_01k3w6v1q8z5m7r2c4x9t0b6hb',
  websiteId: 'web_01k3w6v1q8z5m7r2c4x9t0b6hc',
  name: 'Purchase of the pro plan',
  type: 'event',
  match: { op: 'eq', value: 'purchase' },
  conditions: [{ field: 'properties.plan', op: 'eq', value: 'pro' }],
  revenueProperty: 'total',
  currency: 'EUR',
  position: 1_000,
  createdBy: 'usr_01k3w6v1q8z5m7r2c4x9t0b6hd',
  createdAt: '2026-01-15T09:30:00.000Z',
  updatedAt: '2026-01-15T09:30:00.000Z',
};

export const goalRoutes = defineWebsiteResource({
  collection: 'goals',
  path: '/v1/goals',
  kind: 'goal',
  about:
    'What counts as reached on a website: an event or a page, for the dataset `goals` and by-session datasets to count.',
  rulesInWords:
    'A goal of `type` event matches events by their name, one of `type` page matches pageviews by their path; `conditions` must hold too.',
  rules: { read: { scopes: ['read:data'] }, write: { scopes: ['manage:websites'] } },
  sortBy: ['position', 'name', 'createdAt'],
  searched: ['name'],
  fields: goalFieldsSchema,
  faultsOf: goalFaults,
  view: { schema: goalViewSchema, example: EXAMPLE, of: toGoalView },
  stored: storedGoal,
  async complete(fields, { organizationId, websiteId }, { goals }) {
    const { conditions = [], revenueProperty = null, currency = null } = fields;
    const given = { ...fields, conditions, revenueProperty, currency };
    if (fields.position !== undefined) return given;
    const { documents } = await goals.search(organizationId, {
      ...{ limit: 1, sortBy: 'position', order: 'descending' },
      where: [{ field: 'websiteId', values: [websiteId] }],
    });
    return { ...given, position: positionBehind(documents[0]) };
  },
});
