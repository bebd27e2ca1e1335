/**
 * Who makes a request, as the gateway tells the services: one type for the claims of the identity token and their
 * readers.
 */
import { z } from 'zod';
import { scopeSchema } from './scopes.ts';

/** Which websites a key reaches (spec.md, Access levels); the level is stored, never inferred from the list. */
export const accessSchema = z.discriminatedUnion('level', [
  z.strictObject({ level: z.literal('global') }),
  z.strictObject({
    level: z.literal('website'),
    websiteIds: z.array(z.string().min(1)).describe('Identifiers of the websites that the key reaches.'),
  }),
]);
export type Access = z.infer<typeof accessSchema>;

/** Claims of the identity token, besides the registered ones (contract.md, Identity towards the services). */
export const callerSchema = z.object({
  id: z.string(),
  kind: z.enum(['key', 'session', 'public']),
  organizationId: z.string().nullable(),
  userId: z.string().nullable(),
  role: z.enum(['owner', 'admin', 'member', 'viewer']).nullable(),
  plan: z.string().nullable(),
  scopes: z.array(scopeSchema),
  access: accessSchema,
});

/** Who makes a request. `public`: an anonymous caller, without organization, plan or scopes. */
export type Caller = z.infer<typeof callerSchema>;

/**
 * Who makes a request with a token of an identity provider (the policy `jwt`). Only backends of the platform's own meet such
 * a caller: our own services refuse the kind.
 */
export interface TokenCaller extends Omit<Caller, 'kind'> {
  readonly kind: 'jwt';
  /** Who issued the token, and whom it is about (`iss` and `sub`, RFC 7519); `id` stands for both together. */
  readonly issuer: string;
  readonly subject: string;
}

/** Who makes a request, as the gateway and its policies know it. */
export type GatewayCaller = Caller | TokenCaller;

/** The caller of a request without credentials. */
export const PUBLIC_CALLER: Caller = {
  id: 'public',
  kind: 'public',
  organizationId: null,
  userId: null,
  role: null,
  plan: null,
  scopes: [],
  access: { level: 'website', websiteIds: [] },
};
