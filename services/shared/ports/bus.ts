/** The port of invalidations: what one process wrote, and what every process that caches it must forget. */
import { z } from 'zod';
import type { ToldDocument } from '../model/collection-types.ts';
import { DECLARATIONS } from '../model/collections.ts';
import type { Told } from '../model/define-collection.ts';

/**
 * What has changed: a document, as its collection declares it, or `everything`, which means that the change is unknown
 * and every document counts as changed. Fields that the writer no longer knows, such as a slug, are null. `keptAnswers`: an
 * operator wants the kept answers of backends forgotten, which no change of a document makes old.
 */
export type Invalidation = ToldDocument | { readonly kind: 'everything' } | { readonly kind: 'keptAnswers' };

/** As another process sent it. */
export const invalidationSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('everything') }),
  z.object({ kind: z.literal('keptAnswers') }),
  ...DECLARATIONS.flatMap(([, { told }]) => (told === undefined ? [] : [documentSchema(told)])),
]) as unknown as z.ZodType<Invalidation>;

function documentSchema({ kind, names }: Told) {
  const known = (name: string) => name === 'id' || name === 'organizationId';
  const fields = names.map((name) => [name, known(name) ? z.string() : z.string().nullable()] as const);
  return z.object({ kind: z.literal(kind), ...Object.fromEntries(fields) });
}

/** Called for each invalidation; must not throw. */
export type InvalidationListener = (invalidation: Invalidation) => void;

export interface Bus {
  /**
   * Calls the listeners of this process before it returns, those of others soon after. What cannot be delivered is lost
   * without an error, so every cache must also bound its age.
   */
  publish(invalidation: Invalidation): void;
  /** Calls only the listeners of this process: another process wrote, and has told the others itself. */
  publishHere(invalidation: Invalidation): void;
  /** Listens until the returned function is called. After a gap in delivery `everything` and `keptAnswers` arrive. */
  subscribe(listener: InvalidationListener): () => void;
  close(): Promise<void>;
}
