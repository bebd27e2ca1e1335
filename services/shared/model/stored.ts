/** What every document carries, whichever store holds it. */
import { z } from 'zod';

export const storedSchema = z.object({
  id: z.string(),
  /** The tenant; a user and an organization are their own tenant, by their own id. */
  organizationId: z.string(),
  /** Rises by one with each update; compare-and-set goes by it. */
  version: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Stored = z.infer<typeof storedSchema>;
