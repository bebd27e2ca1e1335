/** An invitation into an organization: who may accept it, as what, until when; its token is stored as a hash only. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';
import { ROLES } from './user.ts';

export const invitationSchema = storedSchema.extend({
  /** Address in lower case; whoever accepts becomes the user of this address. */
  email: z.string(),
  role: z.enum(ROLES),
  /** SHA-256 of the token, lower-case hexadecimal. */
  tokenHash: z.string(),
  expiresAt: z.iso.datetime(),
  /** When it was accepted; a spent invitation is never accepted again. */
  acceptedAt: z.iso.datetime().nullable(),
  /** Identifier of the user who invited. */
  createdBy: z.string(),
});
export type Invitation = z.infer<typeof invitationSchema>;
