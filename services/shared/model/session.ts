/** A browser session and the state of its refresh-token family; an ended session is a removed document. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

/** The tenant of a session is its user, by the user's own id: it outlives a switch of organization. */
export const sessionSchema = storedSchema.extend({
  /** The organization that the session acts for. */
  activeOrganizationId: z.string(),
  /** SHA-256 of the one refresh token that is good, lower-case hexadecimal. */
  refreshHash: z.string(),
  /** Which token of its family that is; rises by one with each rotation. */
  generation: z.number().int().min(1),
  /** Rotations of the last seconds: the generation that was spent, and when. */
  recentRotations: z.array(z.object({ generation: z.number().int(), at: z.iso.datetime() })),
  /** When the good refresh token expires. */
  expiresAt: z.iso.datetime(),
});
export type Session = z.infer<typeof sessionSchema>;
