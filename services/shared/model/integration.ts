/** An integration: the configuration of an outside service, which is stored and never called. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

/** An encrypted secret value: which key of the secrets file sealed it, and the result (base64url). */
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
  /** The parts that are not secret. */
  config: z.record(z.string(), z.json()),
  /** Secret fields of the configuration by name. */
  secrets: z.record(z.string(), sealedSecretSchema),
  createdBy: z.string(),
});
export type Integration = z.infer<typeof integrationSchema>;
