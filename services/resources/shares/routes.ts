/** Shares on the wire: links that show a saved view to people without an account (contract.md section 9). */
import { defineResource } from '../define-resource.ts';
import { ofWebsites, websiteListSchema } from '../website-list.ts';
import {
  type ShareView,
  shareChangesSchema,
  shareInputSchema,
  shareViewSchema,
  toShareView,
} from './schema.ts';
import {
  changeShare,
  createShare,
  parseShare,
  parseShareChanges,
  removeShare,
  requireShare,
  type WriteSharePorts,
} from './write-share.ts';

/** What the shares' routes need. */
export type SharePorts = WriteSharePorts;

const EXAMPLE: ShareView = {
  id: 'shr_01k3w6v1q8z5m7r2c4x9t0b6ha',
  organizationId: 'org_01k3w6v1q8z5m7r2c4x9t0b6hb',
  websiteId: 'web_01k3w6v1q8z5m7r2c4x9t0b6hc',
  view: 'viw_01k3w6v1q8z5m7r2c4x9t0b6hd',
  name: 'For the agency',
  token: 'PVZp7ZbQ0S8m3xT5nKc1yJfWq2rLh4uAeGd6iOoB9Xs',
  expiresAt: '2027-01-01T00:00:00.000Z',
  hasPassword: true,
  datasets: ['summary', 'pages', 'countries'],
  origins: ['https://www.example.com'],
  createdBy: 'usr_01k3w6v1q8z5m7r2c4x9t0b6he',
  createdAt: '2026-01-15T09:30:00.000Z',
  updatedAt: '2026-01-15T09:30:00.000Z',
};
const SORT_BY = ['createdAt', 'name'] as const;
export const shareRoutes = defineResource({
  collection: 'shares',
  path: '/v1/shares',
  tag: 'shares',
  about: 'Links that show a saved view of a website to people without an account.',
  one: 'a share',
  many: 'shares',
  operation: 'Share',
  audit: 'share',
  rules: { read: { scopes: ['read:data'] }, write: { scopes: ['manage:websites'] } },
  maxBytes: 65_536,
  view: {
    schema: shareViewSchema,
    example: EXAMPLE,
    of: (share, { sealer }: SharePorts) => toShareView(share, sealer),
    holdsSecret: true,
  },
  list: {
    description: 'The shares of the websites that the caller reaches. `search` looks into names.',
    sortBy: SORT_BY,
    searched: ['name'],
    query: websiteListSchema(SORT_BY, 'shares'),
    select: ({ caller, query }, { documents }) => ofWebsites(documents, caller, query),
  },
  create: {
    description:
      'Makes a link: `token` is its secret. Whoever has it, and the password if there is one, may ask for the datasets under the filters and within the range of the view. The view must be shared; `isPublic` of the website has no part in it. CONFLICT at the organization’s bound of shares, which the text names.',
    schema: shareInputSchema,
    example: {
      websiteId: EXAMPLE.websiteId,
      view: EXAMPLE.view,
      name: EXAMPLE.name,
      password: 'correct horse',
      datasets: EXAMPLE.datasets,
      origins: EXAMPLE.origins,
    },
    errors: ['VALIDATION_ERROR', 'ACCESS_DENIED', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
    parse: (asked, caller, ports) => parseShare(ports, caller, asked),
    write: (input, caller, ports) => createShare(ports, caller, input),
  },
  read: {
    description: 'One share with its token. `ETag` names its version.',
    get: ({ caller, id }, { documents }) => requireShare(documents, caller, id),
  },
  change: {
    description:
      'Fields that are not named stay unchanged; null removes the expiry and the password. The token stays; with another password, or none, those who unlocked it must do so again.',
    schema: shareChangesSchema,
    example: { expiresAt: null },
    errors: [
      'VALIDATION_ERROR',
      'NOT_FOUND',
      'ACCESS_DENIED',
      'CONFLICT',
      'PRECONDITION_FAILED',
      'SERVICE_UNAVAILABLE',
    ],
    parse: (asked, target, ports) => parseShareChanges(ports, target, asked),
    write: (changes, target, ports) => changeShare(ports, target, changes),
  },
  remove: {
    description: 'Takes the link back: it shows nothing from now on.',
    write: (target, ports) => removeShare(ports, target),
  },
});
