/** What must still be removed because its owner was: stored before the removal is answered, carried out in the background. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

export const cleanupSchema = storedSchema.extend({
  kind: z.enum(['website', 'organization', 'visitor', 'profile']),
  /** Null: all of the organization; else a website, or a visitor or person of that website. */
  websiteId: z.string().nullable(),
  /** Set for a visitor. */
  anonymousId: z.string().nullable(),
  /** Set for a person. */
  profileId: z.string().optional(),
});
export type Cleanup = z.infer<typeof cleanupSchema>;
