/** Who a visitor is in the client's own system, as POST /identify says it: what is known of the person, and which visitors they are. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { storedSchema } from './stored.ts';

/** A value that a profile may hold. */
export const traitSchema = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: 'Expected text, a number, true, false or null.',
});
export type Traits = Readonly<Record<string, string | number | boolean | null>>;

/** A person of a website, or of the organization; `id` is {@link profileDocumentId}'s. */
export const profileSchema = storedSchema.extend({
  /** Null: known to the organization, as its events without website are. */
  websiteId: z.string().nullable(),
  profileId: z.string(),
  /** At most 50 and 2 KB as JSON; never null, which removes one. */
  traits: z.record(z.string(), traitSchema),
  /** Names of the traits that a key set, which nobody changes without one; absent: none. */
  keyedTraits: z.array(z.string()).optional(),
});
export type Profile = z.infer<typeof profileSchema>;

/** Which person a visitor is, so that events from before the login find them; `id` is {@link visitorProfileDocumentId}'s. */
export const visitorProfileSchema = storedSchema.extend({
  websiteId: z.string().nullable(),
  anonymousId: z.string(),
  /** The newest that was said. */
  profileId: z.string(),
});
export type VisitorProfile = z.infer<typeof visitorProfileSchema>;

/** Whose identifiers these are: they mean something within one website, or within the organization. */
export interface ProfileScope {
  readonly organizationId: string;
  readonly websiteId: string | null;
}

/** The identifier of a profile's document: one look-up by what the client calls the person. */
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
