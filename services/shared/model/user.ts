/** A user and its memberships; passwords are stored as argon2id text only. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

export const userSchema = storedSchema.extend({
  email: z.string(),
  /** What the user is called; absent until an invitation was accepted with one. */
  name: z.string().optional(),
  passwordHash: z.string(),
});
export type User = z.infer<typeof userSchema>;

export const membershipSchema = storedSchema.extend({
  userId: z.string(),
  role: z.enum(ROLES),
});
export type Membership = z.infer<typeof membershipSchema>;
