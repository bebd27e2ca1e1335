/** A user, which is one account of an email, and its memberships; passwords are stored as argon2id text only. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** The home of an account that every organization may trust; no organization has this identifier. */
export const EVERYWHERE = '*';

export const userSchema = storedSchema.extend({
  /** In lower case. One address may have several accounts: each belongs to another home. */
  email: z.string(),
  /**
   * Where this account counts as the one of its address. {@link EVERYWHERE}: the address is proven, by the operator of
   * the service or by an acceptance elsewhere while logged in. The identifier of an organization: its invitation made
   * the account, and anybody may have accepted that. The account's own identifier: it belongs to several organizations,
   * but another account of the address is proven. Absent only while a process of an earlier version writes too.
   */
  home: z.string().default(EVERYWHERE),
  /** The user's name; absent until an invitation was accepted with one. */
  name: z.string().optional(),
  passwordHash: z.string(),
  /** Whether this person runs the service, and may look at all of it; no HTTP route grants it. Absent: no. */
  isOperator: z.boolean().optional(),
});
export type User = z.infer<typeof userSchema>;

export const membershipSchema = storedSchema.extend({
  userId: z.string(),
  role: z.enum(ROLES),
});
export type Membership = z.infer<typeof membershipSchema>;
