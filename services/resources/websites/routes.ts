/** Websites on the wire; each caller reaches only its own (contract.md section 7). */
import { requireWebsite } from '../../shared/access/website-access.ts';
import { defineResource } from '../define-resource.ts';
import { judgeWebsite } from './judge-website.ts';
import { toWebsiteView, websiteChangesSchema, websiteInputSchema, websiteViewSchema } from './schema.ts';
import {
  changeWebsite,
  createWebsite,
  creatingOrganizationOf,
  deleteWebsite,
  type WriteWebsitePorts,
} from './write-website.ts';

/** What the websites' routes need. */
export type WebsitePorts = WriteWebsitePorts;

const EXAMPLE = {
  id: 'web_01k3w6v1q8z5m7r2c4x9t0b6ha',
  name: 'Shop',
  domain: 'shop.example.com',
  isPublic: false,
  settings: { timezone: 'Europe/Berlin' },
  createdAt: '2026-01-15T09:30:00.000Z',
  updatedAt: '2026-01-15T09:30:00.000Z',
};

export const websiteRoutes = defineResource({
  collection: 'websites',
  path: '/v1/websites',
  tag: 'websites',
  one: 'a website',
  many: 'websites',
  operation: 'Website',
  audit: 'website',
  rules: { read: { scopes: ['read:data'] }, write: { scopes: ['manage:websites'] } },
  maxBytes: 1_048_576,
  view: { schema: websiteViewSchema, example: EXAMPLE, of: toWebsiteView },
  list: {
    description:
      'The websites that the caller reaches: all of the organization with global access, the listed ones of a website-specific key. `search` looks into names and domains.',
    errors: ['VALIDATION_ERROR'],
    sortBy: ['createdAt', 'name', 'domain'],
    searched: ['name', 'domain'],
    select({ caller: { organizationId, access } }) {
      if (organizationId === null) return null;
      if (access.level === 'global') return { organizationId };
      return { organizationId, where: [{ field: 'id', values: access.websiteIds }] };
    },
  },
  create: {
    description:
      'Needs global access. `domain` may be whatever people paste; it becomes the host in lower case (IDN as punycode), without scheme, port, path, leading `www.` and trailing dot: `https://WWW.Example.com/path` is `example.com`. `www.` stays where no dot would be left (`www.com`). CONFLICT for a domain that another website of the organization has, with `domain` in `details`, and for one website more than the organization may have, with the bound in the text.',
    schema: websiteInputSchema,
    example: { name: 'Shop', domain: 'shop.example.com', settings: { timezone: 'Europe/Berlin' } },
    parse(asked, caller) {
      creatingOrganizationOf(caller);
      return judgeWebsite(websiteInputSchema, asked);
    },
    write: (input, caller, ports: WebsitePorts) => createWebsite(ports, caller, input),
  },
  read: {
    description:
      'One website. `ETag` names its version. A website that the caller may not reach is ACCESS_DENIED, whether it exists or not.',
    errors: ['ACCESS_DENIED'],
    get: ({ caller, id }, { documents }) => requireWebsite(documents, caller, id),
  },
  change: {
    description:
      'Fields and settings that are not named stay unchanged; null resets a setting to its default. `allowedOrigins` is replaced as a whole. A change of a setting that ingest reads takes effect within 5 seconds, at once in the process that made it. With `If-Match` only the version that it names is changed.',
    errors: ['VALIDATION_ERROR', 'ACCESS_DENIED', 'CONFLICT', 'PRECONDITION_FAILED'],
    schema: websiteChangesSchema,
    example: { name: 'Shop', settings: { keylessTracking: false, timezone: null } },
    async parse(asked, { caller, id }, { documents }) {
      await requireWebsite(documents, caller, id);
      return judgeWebsite(websiteChangesSchema, asked);
    },
    write: (changes, target, ports) => changeWebsite(ports, target, changes),
  },
  remove: {
    description:
      'When the answer arrives, the website is deleted: queries and ingest refuse it. Its events, links, flags, goals, funnels and profiles are removed in the background. Keys that are limited to it stay limited, and reach nothing. This cannot be undone. With `If-Match` only the version that it names is deleted.',
    errors: ['ACCESS_DENIED', 'CONFLICT', 'PRECONDITION_FAILED'],
    write: (target, ports) => deleteWebsite(ports, target),
  },
});
