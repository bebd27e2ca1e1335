/** An invitation into an organization: a one-time token, of which only the hash is kept. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';
import { ROLES } from './user.ts';

export const invitationSchema = storedSchema.extend({
  /** In lower case. */
  email: z.string(),
  /** The role of the membership that acceptance makes. */
  role: z.enum(ROLES),
  /** SHA-256 of the token, lower-case hexadecimal. */
  tokenHash: z.string(),
  expiresAt: z.iso.datetime(),
  /** When it was used; null while it may be. */
  acceptedAt: z.iso.datetime().nullable(),
  /** Identifier of the user who invited: a member that may give the role, still, when it is accepted. */
  createdBy: z.string(),
});
export type Invitation = z.infer<typeof invitationSchema>;
