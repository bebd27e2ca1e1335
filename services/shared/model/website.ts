/** A website: what events belong to and queries select. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

export const websiteSettingsSchema = z.strictObject({
  allowedOrigins: z.array(z.string()).optional(),
  keylessTracking: z.boolean().optional(),
  timezone: z.string().optional(),
  pageviewAliases: z.boolean().optional(),
  honorPrivacySignals: z.boolean().optional(),
  keylessBytesPerDay: z.number().int().optional(),
});
export type WebsiteSettings = z.infer<typeof websiteSettingsSchema>;

export const websiteSchema = storedSchema.extend({
  name: z.string(),
  domain: z.string(),
  isPublic: z.boolean(),
  settings: websiteSettingsSchema,
});
export type Website = z.infer<typeof websiteSchema>;
