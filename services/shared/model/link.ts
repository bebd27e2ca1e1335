/** A short link: a slug of this service that leads elsewhere. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

export const linkSchema = storedSchema.extend({
  /** Unique over all organizations; case-sensitive. */
  slug: z.string(),
  /** Null: it belongs to the organization itself, not to a website. */
  websiteId: z.string().nullable(),
  name: z.string(),
  targetUrl: z.string(),
  expiresAt: z.iso.datetime().nullable(),
  /** Where visitors of the expired link go; null: they get an error that it is gone. */
  expiredRedirectUrl: z.string().nullable(),
  /** Replaces `targetUrl` on these systems. */
  iosUrl: z.string().nullable(),
  androidUrl: z.string().nullable(),
  /** The preview that pages show when they embed the link (Open Graph). */
  ogTitle: z.string().nullable(),
  ogDescription: z.string().nullable(),
  ogImageUrl: z.string().nullable(),
  tags: z.array(z.string()),
  /** Identifier of the user or key, or `provisioning`. */
  createdBy: z.string(),
});
export type Link = z.infer<typeof linkSchema>;
