/** The route of this plugin, for the description of the API. */
import { z } from 'zod';
import type { RouteDescription } from '../../services/shared/http/route.ts';
import { ROLES } from '../../services/shared/model/user.ts';

const limitSchema = z
  .object({
    name: z.string().describe('`plan`, or the name of a limit.'),
    window: z.string().describe('How long it counts: seconds, or a day or month of the calendar.'),
    counts: z.string().describe('What it counts, such as requests, datasets, events or seconds.'),
    limit: z.int(),
    used: z.int(),
    remaining: z.int(),
    reset: z.iso.datetime().nullable().describe('When the window ends; null while nothing counts in it.'),
    enforced: z.boolean().describe('Whether it refuses anything; false: it only counts.'),
    key: z.string().nullable().describe('The API key whose budget it is; null: not of a single key.'),
    session: z.string().nullable().describe('The session whose budget it is: your own, or null.'),
    endpoints: z
      .array(z.string())
      .nullable()
      .describe('Which endpoints count in it, by their names; null: all that need a credential.'),
  })
  .meta({ title: 'LimitInForce' });

const EXAMPLE = {
  name: 'plan',
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
    tags: ['organization'],
    success: {
      status: 200,
      schema: z.object({ success: z.literal(true), data: z.array(limitSchema), moreKeys: z.boolean() }),
      example: { success: true, data: [EXAMPLE], moreKeys: false },
    },
    errors: ['SERVICE_UNAVAILABLE'],
  },
];
