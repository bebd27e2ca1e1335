/** A short link: a slug of this service that leads elsewhere. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

export const linkSchema = storedSchema.extend({
  /** Unique over all organizations, compared letter by letter. */
  slug: z.string(),
  /** Null: the organization's own, outside every website. */
  websiteId: z.string().nullable(),
  name: z.string(),
  targetUrl: z.string(),
  expiresAt: z.iso.datetime().nullable(),
  /** Where visitors of the expired link go; null: they are told that it is gone. */
  expiredRedirectUrl: z.string().nullable(),
  /** In place of `targetUrl` on these systems. */
  iosUrl: z.string().nullable(),
  androidUrl: z.string().nullable(),
  /** What pages that embed the link show of it (Open Graph). */
  ogTitle: z.string().nullable(),
  ogDescription: z.string().nullable(),
  ogImageUrl: z.string().nullable(),
  tags: z.array(z.string()),
  /** Identifier of the user or key, or `provisioning`. */
  createdBy: z.string(),
});
export type Link = z.infer<typeof linkSchema>;
