/** Reads websites: the list and one of them, each caller seeing only what it reaches (contract.md section 7). */
import { z } from 'zod';
import { accessibleWebsites, requireWebsite } from '../../shared/access/website-access.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { pageOf, pageQuerySchema } from '../page-of.ts';
import { toWebsiteView, websiteViewSchema } from './schema.ts';

/** What the websites' routes need. */
export interface WebsitePorts {
  readonly documents: DocumentStore;
}

const EXAMPLE = {
  id: 'web_01k3w6v1q8z5m7r2c4x9t0b6ha',
  name: 'Shop',
  domain: 'shop.example.com',
  isPublic: false,
  settings: { timezone: 'Europe/Berlin' },
  createdAt: '2026-01-15T09:30:00.000Z',
  updatedAt: '2026-01-15T09:30:00.000Z',
};

const listWebsites = defineRoute<WebsitePorts, undefined, z.infer<typeof pageQuerySchema>>({
  operationId: 'listWebsites',
  method: 'GET',
  path: '/v1/websites',
  rule: { scopes: ['read:data'] },
  summary: 'List websites',
  description:
    'The websites that the caller reaches, by identifier ascending: all of the organization with global access, the listed ones of a website-specific key.',
  tags: ['websites'],
  query: pageQuerySchema,
  success: {
    status: 200,
    schema: z.object({
      success: z.literal(true),
      data: z.array(websiteViewSchema),
      nextCursor: z.string().optional().describe('Present when more follow.'),
    }),
    example: { success: true, data: [EXAMPLE] },
  },
  errors: ['VALIDATION_ERROR'],
  async handler({ caller, query }, { documents }) {
    const page = await pageOf(query, async (limit, after) => {
      if (caller.organizationId === null) return [];
      if (caller.access.level === 'global') {
        return documents.websites.list(caller.organizationId, { limit, after });
      }
      const reached = await accessibleWebsites(documents, caller);
      return reached.filter((website) => after === undefined || website.id > after).slice(0, limit);
    });
    return { body: { success: true, ...page, data: page.data.map(toWebsiteView) } };
  },
});

const getWebsite = defineRoute<WebsitePorts>({
  operationId: 'getWebsite',
  method: 'GET',
  path: '/v1/websites/:id',
  rule: { scopes: ['read:data'] },
  summary: 'Read a website',
  description:
    'One website. `ETag` names its version. A website that the caller may not reach is ACCESS_DENIED, whether it exists or not.',
  tags: ['websites'],
  success: {
    status: 200,
    schema: z.object({ success: z.literal(true), data: websiteViewSchema }),
    example: { success: true, data: EXAMPLE },
  },
  errors: ['ACCESS_DENIED'],
  async handler({ caller, params }, { documents }) {
    const website = await requireWebsite(documents, caller, params.id ?? '');
    return {
      body: { success: true, data: toWebsiteView(website) },
      headers: { ETag: `"${website.version}"` },
    };
  },
});

export const websiteRoutes: readonly Route<WebsitePorts>[] = [listWebsites, getWebsite];
