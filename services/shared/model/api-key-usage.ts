/**
 * When a key was last used; stored apart from the key, so that using a key neither changes its version nor fails an
 * If-Match.
 */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

/** `id` is the key's. */
export const apiKeyUsageSchema = storedSchema.extend({
  /** Start of the minute in which the key was last used. */
  lastUsedAt: z.iso.datetime(),
});
export type ApiKeyUsage = z.infer<typeof apiKeyUsageSchema>;

/** One use of a key, as gateways report it. */
export interface ApiKeyUse {
  readonly apiKeyId: string;
  readonly organizationId: string;
  /** Start of the minute, ISO 8601 in UTC with milliseconds. */
  readonly lastUsedAt: string;
}
