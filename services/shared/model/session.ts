/** A browser session and the state of its refresh-token family; an ended session is a removed document. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

/** Longest user agent that is kept, in characters; the longest real ones have about 400. */
export const LONGEST_AGENT = 512;

/** The tenant of a session is its user, by the user's own id: the session outlives a switch of organization. */
export const sessionSchema = storedSchema.extend({
  /** The organization that the session acts for. */
  activeOrganizationId: z.string(),
  /** SHA-256 of the one valid refresh token, lower-case hexadecimal. */
  refreshHash: z.string(),
  /** Which token of its family it is; each rotation raises it by one. */
  generation: z.number().int().min(1),
  /** Rotations in the last seconds: the generation that was used up, and when. */
  recentRotations: z.array(z.object({ generation: z.number().int(), at: z.iso.datetime() })),
  /**
   * The user agent of the browser that logged in or refreshed last, at most {@link LONGEST_AGENT} characters; null: it named
   * none. Absent in sessions of earlier versions.
   */
  agent: z.string().nullable().optional(),
  /** The address of that browser. Absent in sessions of earlier versions. */
  address: z.string().nullable().optional(),
  /** When the valid refresh token expires. */
  expiresAt: z.iso.datetime(),
});
export type Session = z.infer<typeof sessionSchema>;
