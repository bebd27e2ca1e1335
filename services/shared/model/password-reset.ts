/** A link that gives a member a new password, once: a one-time token, of which only the hash is kept. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

/** Its identifier is that of the membership that it is for: a member has one at most, and a new one replaces it. */
export const passwordResetSchema = storedSchema.extend({
  userId: z.string(),
  /** SHA-256 of the token, lower-case hexadecimal. */
  tokenHash: z.string(),
  /** SHA-256 of the stored text of the password that it is to replace: once that is another, it is void. */
  replaces: z.string(),
  expiresAt: z.iso.datetime(),
  /** When it was used; null while it may be. */
  spentAt: z.iso.datetime().nullable(),
  /** Identifier of the user who made it: a member that may give the role of the other, still, when it is used. */
  createdBy: z.string(),
});
export type PasswordReset = z.infer<typeof passwordResetSchema>;
