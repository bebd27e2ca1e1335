/** A share: a link that shows a saved view of a website to whoever has it, and perhaps a password. */
import { z } from 'zod';
import { sealedSecretSchema } from './integration.ts';
import { storedSchema } from './stored.ts';

export const shareSchema = storedSchema.extend({
  websiteId: z.string(),
  /** The saved view that it shows, which is shared and of the same website. */
  view: z.string(),
  name: z.string(),
  expiresAt: z.iso.datetime().nullable(),
  /** Finds the share of a token. */
  tokenHash: z.string(),
  /** The token, sealed: the link is shown again to those who manage it. */
  token: sealedSecretSchema,
  /** Null: whoever has the link sees the share. */
  passwordHash: z.string().nullable(),
  /** Signs the tickets of this password (base64url of 32 bytes): another password gets another key. */
  ticketKey: z.string(),
  /** What may be asked for. */
  datasets: z.array(z.string()),
  /** Web pages that may embed it. */
  origins: z.array(z.string()),
  createdBy: z.string(),
});
export type Share = z.infer<typeof shareSchema>;
