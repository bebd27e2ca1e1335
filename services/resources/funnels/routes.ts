/** Funnels on the wire: the steps of a website that queries follow visitors through. */
import { defineWebsiteResource } from '../define-website-resource.ts';
import { type FunnelView, funnelFieldsSchema, funnelViewSchema, toFunnelView } from './schema.ts';

const EXAMPLE: FunnelView = {
  id: 'fnl_01k3w6v1q8z5m7r2c4x9t0b6ha',
  organizationId: 'org_01k3w6v1q8z5m7r2c4x9t0b6hb',
  websiteId: 'web_01k3w6v1q8z5m7r2c4x9t0b6hc',
  name: 'Checkout',
  steps: [
    { name: 'Cart', type: 'page', match: { op: 'eq', value: '/cart' } },
    { name: 'Address', type: 'page', match: { op: 'starts_with', value: '/checkout' } },
    { name: 'Paid', type: 'event', match: { op: 'eq', value: 'purchase' } },
  ],
  ordered: true,
  windowSeconds: 86_400,
  exclude: null,
  createdBy: 'usr_01k3w6v1q8z5m7r2c4x9t0b6hd',
  createdAt: '2026-01-15T09:30:00.000Z',
  updatedAt: '2026-01-15T09:30:00.000Z',
};

export const funnelRoutes = defineWebsiteResource({
  collection: 'funnels',
  path: '/v1/funnels',
  kind: 'funnel',
  about: 'Steps of a website that visitors take, for the dataset `funnel` to follow.',
  rulesInWords:
    'Each step matches events by their name or pageviews by their path, as a goal does, and may have a name. `steps` is replaced as a whole.',
  rules: { read: { scopes: ['read:data'] }, write: { scopes: ['manage:websites'] } },
  sortBy: ['createdAt', 'name'],
  searched: ['name'],
  fields: funnelFieldsSchema,
  view: { schema: funnelViewSchema, example: EXAMPLE, of: toFunnelView },
  stored: (fields) => fields,
  complete: async (fields) => ({ ...fields, exclude: fields.exclude ?? null }),
});
