/** The health paths as routes, for the description of the API; the configuration may not declare them. */
import { z } from 'zod';
import type { RouteDescription } from '../../services/shared/http/route.ts';

const COMMON = { method: 'GET', rule: 'public', tags: ['gateway'] } as const;

export const healthRoutes: readonly RouteDescription[] = [
  {
    ...COMMON,
    operationId: 'getHealth',
    path: '/health',
    summary: 'Is the gateway alive?',
    description:
      '`counters` says so while the limits are decided without the store that all processes share.',
    success: {
      status: 200,
      schema: z.object({ status: z.literal('ok'), counters: z.literal('degraded').optional() }),
      example: { status: 'ok' },
    },
    errors: [],
  },
  {
    ...COMMON,
    operationId: 'getReadiness',
    path: '/health/ready',
    summary: 'Do its stores and services answer?',
    description:
      'Asks stores and services, at most once a second. 503 names in `checks` what failed. `configuration` tells which one answers: gateways with the same files have the same hash, and `pinned` is its number in the history while an operator keeps it in force.',
    success: {
      status: 200,
      schema: z.object({
        status: z.literal('ok'),
        checks: z.record(z.string(), z.enum(['ok', 'degraded'])),
        configuration: z.object({
          hash: z.string().regex(/^[0-9a-f]{12}$/),
          ageSeconds: z.number().int().min(0),
          pinned: z.number().int().min(1).optional(),
        }),
      }),
      example: {
        status: 'ok',
        checks: { counters: 'ok', documents: 'ok', tracking: 'ok', query: 'ok', resources: 'ok' },
        configuration: { hash: '9f2c41d07be3', ageSeconds: 86_400 },
      },
    },
    errors: ['SERVICE_UNAVAILABLE'],
  },
];
