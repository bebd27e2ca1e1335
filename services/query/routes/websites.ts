/** GET /v1/query/websites: the websites that the caller reaches. */
import { z } from 'zod';
import { accessibleWebsites } from '../../shared/access/website-access.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import type { QueryPorts } from '../query-ports.ts';

export const websitesRoute: Route<QueryPorts> = defineRoute<QueryPorts>({
  operationId: 'listQueryWebsites',
  method: 'GET',
  path: '/v1/query/websites',
  rule: { scopes: ['read:data'] },
  summary: 'List the accessible websites',
  description: 'Every website that the caller reaches, by identifier ascending.',
  tags: ['query'],
  success: {
    status: 200,
    schema: z.object({
      success: z.literal(true),
      websites: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          domain: z.string(),
          isPublic: z.boolean(),
          createdAt: z.iso.datetime(),
        }),
      ),
      total: z.number(),
    }),
    example: {
      success: true,
      websites: [
        {
          id: 'web_01',
          name: 'Shop',
          domain: 'shop.example',
          isPublic: false,
          createdAt: '2025-01-01T00:00:00.000Z',
        },
      ],
      total: 1,
    },
  },
  errors: ['SERVICE_UNAVAILABLE'],
  async handler({ caller }, { documents }) {
    const websites = (await accessibleWebsites(documents, caller)).map(
      ({ id, name, domain, isPublic, createdAt }) => ({ id, name, domain, isPublic, createdAt }),
    );
    return { body: { success: true, websites, total: websites.length } };
  },
});
