/** Reads and writes websites, each caller reaching only its own (contract.md section 7). */
import { z } from 'zod';
import { requireWebsite } from '../../shared/access/website-access.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import { listPage } from '../list-page.ts';
import { type SortedQuery, sortedQuerySchema } from '../sorted-page.ts';
import { etagOf, ifMatchOf } from '../write-matching.ts';
import {
  toWebsiteView,
  type WebsiteChanges,
  type WebsiteInput,
  websiteChangesSchema,
  websiteInputSchema,
  websiteViewSchema,
} from './schema.ts';
import { changeWebsite, createWebsite, deleteWebsite, type WriteWebsitePorts } from './write-website.ts';

/** What the websites' routes need. */
export type WebsitePorts = WriteWebsitePorts;

const MAX_BODY_BYTES = 1_048_576;
const READING = { rule: { scopes: ['read:data'] }, tags: ['websites'] } as const;
const WRITING = { rule: { scopes: ['manage:websites'] }, tags: ['websites'] } as const;

const EXAMPLE = {
  id: 'web_01k3w6v1q8z5m7r2c4x9t0b6ha',
  name: 'Shop',
  domain: 'shop.example.com',
  isPublic: false,
  settings: { timezone: 'Europe/Berlin' },
  createdAt: '2026-01-15T09:30:00.000Z',
  updatedAt: '2026-01-15T09:30:00.000Z',
};
const ONE = {
  schema: z.object({ success: z.literal(true), data: websiteViewSchema }),
  example: { success: true, data: EXAMPLE },
};

const listWebsites = defineRoute<WebsitePorts, undefined, SortedQuery>({
  ...READING,
  operationId: 'listWebsites',
  method: 'GET',
  path: '/v1/websites',
  summary: 'List websites',
  description:
    'The websites that the caller reaches: all of the organization with global access, the listed ones of a website-specific key. `search` looks into names and domains.',
  query: sortedQuerySchema(['createdAt', 'name', 'domain']),
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
  async handler({ caller: { organizationId, access }, query }, { documents }) {
    if (organizationId === null) return { body: { success: true, data: [] } };
    const page = await listPage(documents.websites, organizationId, query, {
      columns: { createdAt: 'createdAt', name: 'name', domain: 'domain' },
      searched: ({ name, domain }) => [name, domain],
      ...(access.level === 'website' && { where: { field: 'id', values: access.websiteIds } }),
    });
    return { body: { success: true, ...page, data: page.data.map(toWebsiteView) } };
  },
});

const getWebsite = defineRoute<WebsitePorts>({
  ...READING,
  operationId: 'getWebsite',
  method: 'GET',
  path: '/v1/websites/:id',
  summary: 'Read a website',
  description:
    'One website. `ETag` names its version. A website that the caller may not reach is ACCESS_DENIED, whether it exists or not.',
  success: { status: 200, ...ONE },
  errors: ['ACCESS_DENIED'],
  async handler({ caller, params }, { documents }) {
    const website = await requireWebsite(documents, caller, params.id ?? '');
    return {
      body: { success: true, data: toWebsiteView(website) },
      headers: { ETag: etagOf(website) },
    };
  },
});

const createRoute = defineRoute<WebsitePorts, WebsiteInput>({
  ...WRITING,
  operationId: 'createWebsite',
  method: 'POST',
  path: '/v1/websites',
  summary: 'Create a website',
  description:
    'Needs global access. `domain` is the host in lower case, without scheme, port, path and leading `www.`; another form is refused, with the right one as suggestion. A domain that another website of the organization has is CONFLICT, with `domain` in `details`.',
  body: {
    schema: websiteInputSchema,
    judgedBy: 'handler',
    maxBytes: MAX_BODY_BYTES,
    example: { name: 'Shop', domain: 'shop.example.com', settings: { timezone: 'Europe/Berlin' } },
  },
  success: { status: 201, ...ONE },
  errors: ['VALIDATION_ERROR', 'ACCESS_DENIED', 'CONFLICT'],
  audit: 'website.create',
  async handler({ caller, body }, ports) {
    const website = await createWebsite(ports, caller, body);
    return {
      body: { success: true, data: toWebsiteView(website) },
      headers: { Location: `/v1/websites/${website.id}`, ETag: etagOf(website) },
      written: { targetId: website.id, fields: Object.keys(body) },
    };
  },
});

const changeRoute = defineRoute<WebsitePorts, WebsiteChanges>({
  ...WRITING,
  operationId: 'changeWebsite',
  method: 'PATCH',
  path: '/v1/websites/:id',
  summary: 'Change a website',
  description:
    'What is not named stays, of the settings too; a setting of null goes back to its default. `allowedOrigins` is replaced whole. A change of keyless tracking or origins binds within 5 seconds, at once in the process that made it. With `If-Match` only the version that it names is changed.',
  body: {
    schema: websiteChangesSchema,
    judgedBy: 'handler',
    maxBytes: MAX_BODY_BYTES,
    example: { name: 'Shop', settings: { keylessTracking: false, timezone: null } },
  },
  success: { status: 200, ...ONE },
  errors: ['VALIDATION_ERROR', 'ACCESS_DENIED', 'CONFLICT', 'PRECONDITION_FAILED'],
  audit: 'website.change',
  async handler({ caller, body, params, headers }, ports) {
    const target = { caller, id: params.id ?? '', ifMatch: ifMatchOf(headers) };
    const website = await changeWebsite(ports, target, body);
    const fields = Object.keys(body);
    return {
      body: { success: true, data: toWebsiteView(website) },
      headers: { ETag: etagOf(website) },
      written: fields.length === 0 ? null : { targetId: website.id, fields },
    };
  },
});

const deleteRoute = defineRoute<WebsitePorts>({
  ...WRITING,
  operationId: 'deleteWebsite',
  method: 'DELETE',
  path: '/v1/websites/:id',
  summary: 'Delete a website',
  description:
    'The website is gone with the answer: queries and ingest refuse it. Its events, links, flags and profiles are removed in the background. Keys that are limited to it stay limited, and reach nothing. There is no way back. With `If-Match` only the version that it names is deleted.',
  success: { status: 204, schema: z.undefined(), example: undefined },
  errors: ['ACCESS_DENIED', 'CONFLICT', 'PRECONDITION_FAILED'],
  audit: 'website.delete',
  async handler({ caller, params, headers }, ports) {
    const id = params.id ?? '';
    await deleteWebsite(ports, { caller, id, ifMatch: ifMatchOf(headers) });
    return { written: { targetId: id } };
  },
});

export const websiteRoutes: readonly Route<WebsitePorts>[] = [
  listWebsites,
  createRoute,
  getWebsite,
  changeRoute,
  deleteRoute,
];
