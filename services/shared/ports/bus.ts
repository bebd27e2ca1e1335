/** The port of invalidations: what one process wrote and every process that remembers it must forget. */
import { z } from 'zod';

/**
 * What is no longer as it was remembered. `everything`: it is not known what changed, so all of it counts as changed.
 * `keyHash` and `slug` are null when the writer no longer knows them.
 */
export const invalidationSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('apiKey'),
    organizationId: z.string(),
    id: z.string(),
    keyHash: z.string().nullable(),
  }),
  z.object({ kind: z.literal('organization'), id: z.string() }),
  z.object({ kind: z.literal('user'), id: z.string() }),
  z.object({ kind: z.literal('membership'), organizationId: z.string(), id: z.string() }),
  z.object({ kind: z.literal('session'), id: z.string() }),
  z.object({ kind: z.literal('website'), organizationId: z.string(), id: z.string() }),
  z.object({
    kind: z.literal('link'),
    organizationId: z.string(),
    id: z.string(),
    slug: z.string().nullable(),
  }),
  z.object({ kind: z.literal('flag'), organizationId: z.string(), id: z.string() }),
  z.object({ kind: z.literal('targetGroup'), organizationId: z.string(), id: z.string() }),
  z.object({ kind: z.literal('everything') }),
]);
export type Invalidation = z.infer<typeof invalidationSchema>;

/** Told of each invalidation; must not throw. */
export type InvalidationListener = (invalidation: Invalidation) => void;

export interface Bus {
  /**
   * Tells the listeners of this process before it returns, those of others soon after. What cannot be delivered is lost
   * without an error: whoever remembers something bounds its age too.
   */
  publish(invalidation: Invalidation): void;
  /** Tells the listeners of this process alone: what another process wrote, and told the others itself. */
  publishHere(invalidation: Invalidation): void;
  /** Listens until the returned function is called. After a gap in delivery `everything` comes. */
  subscribe(listener: InvalidationListener): () => void;
  close(): Promise<void>;
}
