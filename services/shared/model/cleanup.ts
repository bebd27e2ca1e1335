/** What is still to be removed because what it hung on was: written before the removal is answered, carried out in the background. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

export const cleanupSchema = storedSchema.extend({
  kind: z.enum(['website', 'organization', 'visitor']),
  /** Of a website or a visitor of one; null: all of the organization. */
  websiteId: z.string().nullable(),
  /** Of a visitor. */
  anonymousId: z.string().nullable(),
});
export type Cleanup = z.infer<typeof cleanupSchema>;
