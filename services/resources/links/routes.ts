/** Lists, creates, reads, changes and removes short links, each caller within its reach (contract.md section 7). */
import { z } from 'zod';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { requireWebsite } from '../../shared/access/website-access.ts';
import { validationError } from '../../shared/errors/zod-details.ts';
import { defineRoute, type Route, type RouteInput } from '../../shared/http/route.ts';
import { listPage } from '../list-page.ts';
import { sortedQuerySchema } from '../sorted-page.ts';
import { etagOf, ifMatchOf } from '../write-matching.ts';
import { requireLink } from './reach-link.ts';
import {
  type LinkChanges,
  type LinkInput,
  type LinkView,
  linkChangesSchema,
  linkInputSchema,
  linkViewSchema,
  toLinkView,
} from './schema.ts';
import { changeLink, createLink, type LinkTarget, removeLink, type WriteLinkPorts } from './write-link.ts';

/** What the links' routes need. */
export type LinkPorts = WriteLinkPorts;

const READ = { rule: { scopes: ['read:links'] }, tags: ['links'] } as const;
const WRITE = { rule: { scopes: ['write:links'] }, tags: ['links'] } as const;
/** The longest texts of every field, with what JSON needs to escape them. */
const MAX_BODY_BYTES = 65_536;

const EXAMPLE: LinkView = {
  id: 'lnk_01k3w6v1q8z5m7r2c4x9t0b6ha',
  organizationId: 'org_01k3w6v1q8z5m7r2c4x9t0b6hb',
  websiteId: 'web_01k3w6v1q8z5m7r2c4x9t0b6hc',
  slug: 'summer-sale',
  name: 'Summer sale',
  targetUrl: 'https://shop.example.com/sale?utm_source=poster',
  expiresAt: '2026-09-01T00:00:00.000Z',
  expiredRedirectUrl: 'https://shop.example.com/',
  iosUrl: null,
  androidUrl: null,
  ogTitle: 'Summer sale',
  ogDescription: null,
  ogImageUrl: null,
  tags: ['poster'],
  createdBy: 'usr_01k3w6v1q8z5m7r2c4x9t0b6hd',
  createdAt: '2026-06-15T09:30:00.000Z',
  updatedAt: '2026-06-15T09:30:00.000Z',
};
const ONE = {
  schema: z.object({ success: z.literal(true), data: linkViewSchema }),
  example: { success: true, data: EXAMPLE },
};

const listQuerySchema = sortedQuerySchema(['createdAt', 'name', 'slug']).extend({
  website_id: z.string().min(1).max(64).optional().describe('Only the links of this website.'),
  websiteId: z.string().min(1).max(64).optional().describe('The same as website_id.'),
});

const listRoute = defineRoute<LinkPorts, undefined, z.infer<typeof listQuerySchema>>({
  ...READ,
  operationId: 'listLinks',
  method: 'GET',
  path: '/v1/links',
  summary: 'List short links',
  description:
    'The links of the organization; for a website-specific key those of its websites. `search` looks into names, slugs, targets and tags.',
  query: listQuerySchema,
  success: {
    status: 200,
    schema: z.object({
      success: z.literal(true),
      data: z.array(linkViewSchema),
      nextCursor: z.string().optional().describe('Present when more follow.'),
    }),
    example: { success: true, data: [EXAMPLE] },
  },
  errors: ['VALIDATION_ERROR', 'ACCESS_DENIED'],
  async handler({ caller, query }, { documents }) {
    const { website_id, websiteId = website_id, ...page } = query;
    if (website_id !== undefined && websiteId !== website_id) {
      const message = 'Came another website than website_id names. Allowed: the same, or one of the two.';
      throw validationError([{ field: 'websiteId', message }]);
    }
    if (websiteId !== undefined) await requireWebsite(documents, caller, websiteId);
    const reached = caller.access.level === 'global' ? undefined : caller.access.websiteIds;
    const values = websiteId === undefined ? reached : [websiteId];
    const found = await listPage(documents.links, organizationOf(caller), page, {
      columns: { createdAt: 'createdAt', name: 'name', slug: 'slug' },
      searched: ({ name, slug, targetUrl, tags }) => [name, slug, targetUrl, ...tags],
      ...(values === undefined ? {} : { where: { field: 'websiteId', values } }),
    });
    return { body: { success: true, ...found, data: found.data.map(toLinkView) } };
  },
});

const createRoute = defineRoute<LinkPorts, LinkInput>({
  ...WRITE,
  operationId: 'createLink',
  method: 'POST',
  path: '/v1/links',
  summary: 'Create a short link',
  description:
    'Without `slug` it gets one of 8 random characters. Slugs are unique over all organizations. URLs are stored as a browser would read them. A website-specific key names one of its websites.',
  body: {
    schema: linkInputSchema as z.ZodType<LinkInput>,
    judgedBy: 'handler',
    maxBytes: MAX_BODY_BYTES,
    example: { slug: EXAMPLE.slug, targetUrl: EXAMPLE.targetUrl, name: EXAMPLE.name },
  },
  success: { status: 201, ...ONE },
  errors: ['VALIDATION_ERROR', 'ACCESS_DENIED', 'CONFLICT'],
  audit: 'link.create',
  async handler({ caller, body }, ports) {
    const link = await createLink(ports, caller, body);
    return {
      body: { success: true, data: toLinkView(link) },
      headers: { Location: `/v1/links/${link.id}`, ETag: etagOf(link) },
      written: { targetId: link.id, fields: Object.keys(body) },
    };
  },
});

const getRoute = defineRoute<LinkPorts>({
  ...READ,
  operationId: 'getLink',
  method: 'GET',
  path: '/v1/links/:id',
  summary: 'Read a short link',
  description: 'One link. `ETag` names its version; clicks do not change it.',
  success: { status: 200, ...ONE },
  errors: ['NOT_FOUND', 'ACCESS_DENIED'],
  async handler({ caller, params }, { documents }) {
    const link = await requireLink(documents, caller, params.id ?? '');
    return { body: { success: true, data: toLinkView(link) }, headers: { ETag: etagOf(link) } };
  },
});

const changeRoute = defineRoute<LinkPorts, LinkChanges>({
  ...WRITE,
  operationId: 'changeLink',
  method: 'PATCH',
  path: '/v1/links/:id',
  summary: 'Change a short link',
  description:
    'What is not named stays; null takes away what may be absent. The next click follows the change.',
  body: {
    schema: linkChangesSchema as z.ZodType<LinkChanges>,
    judgedBy: 'handler',
    maxBytes: MAX_BODY_BYTES,
    example: { targetUrl: 'https://shop.example.com/late-sale', expiresAt: null },
  },
  success: { status: 200, ...ONE },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'ACCESS_DENIED', 'CONFLICT', 'PRECONDITION_FAILED'],
  audit: 'link.change',
  async handler(input, ports) {
    const link = await changeLink(ports, targetOf(input), input.body);
    const fields = Object.keys(input.body);
    return {
      body: { success: true, data: toLinkView(link) },
      headers: { ETag: etagOf(link) },
      written: fields.length === 0 ? null : { targetId: link.id, fields },
    };
  },
});

const removeRoute = defineRoute<LinkPorts>({
  ...WRITE,
  operationId: 'deleteLink',
  method: 'DELETE',
  path: '/v1/links/:id',
  summary: 'Delete a short link',
  description: 'Its slug is free again. Its clicks stay, as events of its website or organization.',
  success: { status: 204, schema: z.undefined(), example: undefined },
  errors: ['NOT_FOUND', 'ACCESS_DENIED', 'CONFLICT', 'PRECONDITION_FAILED'],
  audit: 'link.delete',
  async handler(input, ports) {
    const target = targetOf(input);
    await removeLink(ports, target);
    return { written: { targetId: target.id } };
  },
});

function targetOf({
  caller,
  params,
  headers,
}: Pick<RouteInput<unknown, unknown>, 'caller' | 'params' | 'headers'>): LinkTarget {
  return { caller, id: params.id ?? '', ifMatch: ifMatchOf(headers) };
}

export const linkRoutes: readonly Route<LinkPorts>[] = [
  listRoute,
  createRoute,
  getRoute,
  changeRoute,
  removeRoute,
];
