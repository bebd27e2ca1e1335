/** An invitation into an organization: a one-time token, of which only the hash is stored. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';
import { ROLES } from './user.ts';

export const invitationSchema = storedSchema.extend({
  /** In lower case. */
  email: z.string(),
  /** The role that acceptance gives. */
  role: z.enum(ROLES),
  /** SHA-256 of the token, lower-case hexadecimal. */
  tokenHash: z.string(),
  expiresAt: z.iso.datetime(),
  /** When it was used; null until then. */
  acceptedAt: z.iso.datetime().nullable(),
  /** Identifier of the user who invited. At acceptance this user must still be a member who may give the role. */
  createdBy: z.string(),
});
export type Invitation = z.infer<typeof invitationSchema>;
