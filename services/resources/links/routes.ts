/** Short links on the wire; each caller sees only those within reach (contract.md section 7). */
import { defineResource } from '../define-resource.ts';
import { ofWebsites, websiteListSchema } from '../website-list.ts';
import { judgeLink } from './judge-link.ts';
import { requireLink } from './reach-link.ts';
import { type LinkView, linkChangesSchema, linkInputSchema, linkViewSchema, toLinkView } from './schema.ts';
import { changeLink, createLink, removeLink, type WriteLinkPorts } from './write-link.ts';

/** What the links' routes need. */
export type LinkPorts = WriteLinkPorts;

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
const SORT_BY = ['createdAt', 'name', 'slug'] as const;
export const linkRoutes = defineResource({
  collection: 'links',
  path: '/v1/links',
  tag: 'links',
  one: 'a short link',
  many: 'short links',
  operation: 'Link',
  audit: 'link',
  rules: { read: { scopes: ['read:links'] }, write: { scopes: ['write:links'] } },
  maxBytes: 65_536,
  view: { schema: linkViewSchema, example: EXAMPLE, of: toLinkView },
  list: {
    description:
      'The links of the organization; for a website-specific key those of its websites. `search` looks into names, slugs, targets and tags.',
    sortBy: SORT_BY,
    searched: ['name', 'slug', 'targetUrl', 'tags'],
    query: websiteListSchema(SORT_BY, 'links'),
    select: ({ caller, query }, { documents }: LinkPorts) => ofWebsites(documents, caller, query),
  },
  create: {
    description:
      'Without `slug` it gets one of 8 random characters. Slugs are unique over all organizations. URLs are stored as a browser would read them. A website-specific key names one of its websites. CONFLICT for a slug that is taken, and at the organization’s bound of links, which the text names.',
    schema: linkInputSchema,
    example: { slug: EXAMPLE.slug, targetUrl: EXAMPLE.targetUrl, name: EXAMPLE.name },
    parse: (asked, _caller, { isReservedSlug }) => judgeLink(linkInputSchema, asked, isReservedSlug),
    write: (input, caller, ports) => createLink(ports, caller, input),
  },
  read: {
    description: 'One link. `ETag` names its version; clicks do not change it.',
    get: ({ caller, id }, { documents }) => requireLink(documents, caller, id),
  },
  change: {
    description:
      'Fields that are not named stay unchanged; null removes optional ones. The next click follows the change.',
    schema: linkChangesSchema,
    example: { targetUrl: 'https://shop.example.com/late-sale', expiresAt: null },
    parse: (asked, _target, { isReservedSlug }) => judgeLink(linkChangesSchema, asked, isReservedSlug),
    write: (changes, target, ports) => changeLink(ports, target, changes),
  },
  remove: {
    description: 'Its slug becomes free. Its clicks stay, as events of its website or organization.',
    write: (target, ports) => removeLink(ports, target),
  },
});
