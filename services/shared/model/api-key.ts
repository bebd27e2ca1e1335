/** An API key as stored: never its text, only its SHA-256 and what a person needs to recognize it. */
import { z } from 'zod';
import { accessSchema } from '../access/caller.ts';
import { scopeSchema } from '../access/scopes.ts';
import { storedSchema } from './stored.ts';

export const apiKeySchema = storedSchema.extend({
  name: z.string(),
  /** SHA-256 of the key's text, lower-case hexadecimal. */
  keyHash: z.string(),
  /** First 8 characters of the text; empty when only the hash was provisioned. */
  start: z.string(),
  /** Last 4 characters of the text; empty when only the hash was provisioned. */
  last4: z.string(),
  /** The configuration may have dropped some since: those open nothing. */
  scopes: z.array(scopeSchema),
  access: accessSchema,
  enabled: z.boolean(),
  expiresAt: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
  /** Identifier of the user, or `provisioning` or `cli`. */
  createdBy: z.string(),
  /** Hash of the secret before the last rotation; null when there was none. Keys of older files have no such field. */
  previousKeyHash: z.string().nullable().default(null),
  /** How long the secret before the last rotation still works; the key's own expiry also applies. */
  previousValidUntil: z.iso.datetime().nullable().default(null),
});
export type ApiKey = z.infer<typeof apiKeySchema>;
