/** The route of this plugin, for the description of the API. */
import { z } from 'zod';
import type { RouteDescription } from '../../services/shared/http/route.ts';
import { ROLES } from '../../services/shared/model/user.ts';
import { limitInForceSchema } from '../kit/limits-in-force.ts';

const limitSchema = limitInForceSchema.meta({ title: 'LimitInForce' });

const EXAMPLE = {
  name: 'plan',
  per: 'organization',
  subject: 'org_01kcqdn8000000000000000000',
  windowSeconds: 60,
  window: '60 s',
  counts: 'requests',
  limit: 1_200,
  used: 37,
  remaining: 1_163,
  reset: '2026-01-15T09:31:00.000Z',
  enforced: true,
  key: null,
  session: null,
  endpoints: null,
};

export const usageRoutes: readonly RouteDescription[] = [
  {
    operationId: 'getLimitsInForce',
    method: 'GET',
    path: '/v1/usage/limits',
    rule: { roles: ROLES },
    needs: 'session',
    summary: 'What is left of every limit',
    description:
      'Every limit that binds the organization now: how much a window admits and how much of it is used. Asking counts in none of them, and is answered while the plan is used up. Limits per address, header or claim are known only from a request, and are not listed. With limits of single API keys, `moreKeys` says that the organization has more keys than the first 100.',
    tags: ['usage'],
    success: {
      status: 200,
      schema: z.object({ success: z.literal(true), data: z.array(limitSchema), moreKeys: z.boolean() }),
      example: { success: true, data: [EXAMPLE], moreKeys: false },
    },
    errors: ['SERVICE_UNAVAILABLE'],
  },
];
