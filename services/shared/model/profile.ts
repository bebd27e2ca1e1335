/**
 * Who a visitor is in the client's own system, as POST /identify states it: a person's traits, and the visitors that they
 * are.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { storedSchema } from './stored.ts';

/** A value of a trait. */
export const traitSchema = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'Expected text, a number, true, false or null.',
});
export type Traits = Readonly<Record<string, string | number | boolean | null>>;

/** A person of a website, or of the organization; `id` is {@link profileDocumentId}'s. */
export const profileSchema = storedSchema.extend({
  /** Null: known to the organization, like its events without a website. */
  websiteId: z.string().nullable(),
  profileId: z.string(),
  /** At most 50, and 2 KB as JSON; never null, which removes a trait. */
  traits: z.record(z.string(), traitSchema),
  /** Names of the traits that a key set; only a key may change them. Absent: none. */
  keyedTraits: z.array(z.string()).optional(),
});
export type Profile = z.infer<typeof profileSchema>;

/** Which person a visitor is, so that events before the login are found; `id` is {@link visitorProfileDocumentId}'s. */
export const visitorProfileSchema = storedSchema.extend({
  websiteId: z.string().nullable(),
  anonymousId: z.string(),
  /** The newest statement; one made with a key is not replaced by a newer one without. */
  profileId: z.string(),
  /** Whether it was made with a key; absent: no. */
  isKeyed: z.boolean().optional(),
});
export type VisitorProfile = z.infer<typeof visitorProfileSchema>;

/** The namespace of these identifiers: a website, or the organization. */
export interface ProfileScope {
  readonly organizationId: string;
  readonly websiteId: string | null;
}

/** The identifier of a profile's document: one look-up by the client's own identifier of the person. */
export function profileDocumentId(scope: ProfileScope, profileId: string): string {
  return `prf_${digest(scope, profileId)}`;
}

/** The identifier of a visitor's document. */
export function visitorProfileDocumentId(scope: ProfileScope, anonymousId: string): string {
  return `vis_${digest(scope, anonymousId)}`;
}

function digest({ organizationId, websiteId }: ProfileScope, id: string): string {
  return createHash('sha256')
    .update(JSON.stringify([organizationId, websiteId, id]))
    .digest('hex')
    .slice(0, 40);
}
