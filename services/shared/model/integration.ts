/** An integration: configuration of something outside. The service holds it and sends nothing. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

/** A secret value, encrypted: which key of the secrets file, and what it made (base64url). */
export const sealedSecretSchema = z.strictObject({
  keyId: z.string(),
  sealed: z.string(),
  /** The end of the plain text, to recognize it by. */
  last4: z.string(),
});
export type SealedSecret = z.infer<typeof sealedSecretSchema>;

export const integrationSchema = storedSchema.extend({
  type: z.enum(['webhook', 'slack', 'email_report', 'generic']),
  name: z.string(),
  enabled: z.boolean(),
  /** What is not secret. */
  config: z.record(z.string(), z.json()),
  /** Secret fields of the configuration by name. */
  secrets: z.record(z.string(), sealedSecretSchema),
  createdBy: z.string(),
});
export type Integration = z.infer<typeof integrationSchema>;
